/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/cuda_misuse_internal.h"

struct cuda_functions cu;
struct cuda_subject on;

void cuda_must(CUresult code, const char *call) {
    if (code == CUDA_SUCCESS) return;
    fprintf(stderr, "%s answers %d\n", call, (int)code);
    exit(EXIT_FAILURE);
}

void cuda_misuse_begin(void) {
    MUST(cu.cuInit(0));
    MUST(cu.cuDevicePrimaryCtxRetain(&on.context, 0));
    MUST(cu.cuCtxPushCurrent_v2(on.context));
    MUST(cu.cuStreamCreate(&on.stream, CU_STREAM_NON_BLOCKING));
    MUST(cu.cuEventCreate(&on.event, 0));
    MUST(cu.cuMemAlloc_v2(&on.memory, BYTES));
}

void cuda_misuse_begin_and_pop(void) {
    cuda_misuse_begin();
    MUST(cu.cuCtxPopCurrent_v2(NULL));
}

/* ---- without a device ---- */

CUresult ask_before_init(void) {
    int count;
    return cu.cuDeviceGetCount(&count);
}

CUresult init_with_flags(void) {
    return cu.cuInit(1);
}

CUresult no_name_for_an_error(void) {
    const char *name;
    return cu.cuGetErrorName((CUresult)123456, &name);
}

CUresult no_string_for_an_error(void) {
    const char *text;
    return cu.cuGetErrorString((CUresult)123456, &text);
}

static CUresult symbol(const char *name, int version) {
    void *function = on.host;
    int status = -1;
    MUST(cu.cuInit(0));
    CUresult code = cu.cuGetProcAddress_v2(name, &function, version, 0, &status);
    if (code == CUDA_SUCCESS && (function != NULL || status != 1)) return CUDA_ERROR_UNKNOWN;
    return code;
}

CUresult unknown_symbol(void) {
    return symbol("cuNobodyKnows", 12000);
}

CUresult symbol_of_the_future(void) {
    return symbol("cuMemAlloc", 1000000);
}

CUresult symbol_by_no_name(void) {
    return symbol(NULL, 12000);
}

static CUresult device(CUdevice *out, int ordinal) {
    MUST(cu.cuInit(0));
    return cu.cuDeviceGet(out, ordinal);
}

CUresult device_beyond_the_last(void) {
    CUdevice out;
    return device(&out, 1000);
}

CUresult device_before_the_first(void) {
    CUdevice out;
    return device(&out, -1);
}

CUresult device_to_nowhere(void) {
    return device(NULL, 0);
}

CUresult count_to_nowhere(void) {
    MUST(cu.cuInit(0));
    return cu.cuDeviceGetCount(NULL);
}

static CUresult attribute(int number, CUdevice of) {
    int value;
    MUST(cu.cuInit(0));
    return cu.cuDeviceGetAttribute(&value, number, of);
}

CUresult attribute_that_is_none(void) {
    return attribute(100000, 0);
}

CUresult attribute_of_no_device(void) {
    return attribute(1, 1000);
}

/* ---- contexts ---- */

CUresult retain_of_no_device(void) {
    MUST(cu.cuInit(0));
    return cu.cuDevicePrimaryCtxRetain(&on.context, 1000);
}

CUresult release_without_retain(void) {
    MUST(cu.cuInit(0));
    return cu.cuDevicePrimaryCtxRelease_v2(0);
}

CUresult pop_from_nothing(void) {
    MUST(cu.cuInit(0));
    return cu.cuCtxPopCurrent_v2(&on.context);
}

CUresult device_of_no_context(void) {
    CUdevice out;
    MUST(cu.cuInit(0));
    return cu.cuCtxGetDevice(&out);
}

CUresult allocate_without_context(void) {
    MUST(cu.cuInit(0));
    return cu.cuMemAlloc_v2(&on.memory, BYTES);
}

CUresult allocate_in_a_released_context(void) {
    cuda_misuse_begin();
    MUST(cu.cuDevicePrimaryCtxRelease_v2(0));
    return cu.cuMemAlloc_v2(&on.memory, BYTES);
}

static void destroy_one(void) {
    MUST(cu.cuInit(0));
    MUST(cu.cuCtxCreate_v2(&on.context, 0, 0));
    MUST(cu.cuCtxDestroy_v2(on.context));
}

CUresult push_a_destroyed_context(void) {
    destroy_one();
    return cu.cuCtxPushCurrent_v2(on.context);
}

CUresult make_a_destroyed_context_current(void) {
    destroy_one();
    return cu.cuCtxSetCurrent(on.context);
}

CUresult make_a_released_context_current(void) {
    cuda_misuse_begin_and_pop();
    MUST(cu.cuDevicePrimaryCtxRelease_v2(0));
    return cu.cuCtxSetCurrent(on.context);
}

CUresult destroy_a_context_twice(void) {
    destroy_one();
    return cu.cuCtxDestroy_v2(on.context);
}

CUresult a_stream_as_context(void) {
    cuda_misuse_begin();
    return cu.cuCtxPushCurrent_v2((CUcontext)(void *)on.stream);
}

CUresult push_garbage(void) {
    MUST(cu.cuInit(0));
    return cu.cuCtxPushCurrent_v2((CUcontext)(void *)on.host);
}

CUresult destroy_the_primary_context(void) {
    cuda_misuse_begin();
    return cu.cuCtxDestroy_v2(on.context);
}

/* ---- all of them ---- */

const struct cuda_misuse cuda_misuses[] = {
#define ANSWER(play, answer, source, where) {#play, play, answer, source, where},
#include "sim/cuda_answers.def"
#undef ANSWER
};

const size_t cuda_n_misuses = sizeof cuda_misuses / sizeof *cuda_misuses;
