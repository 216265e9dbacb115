/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs on CUDA do wrong, each twice: one that does it and nothing else, and its correct
 * twin. Under every policy, and with leaks looked for.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_violations_suite(void);

#define BYTES CUDA_BYTES

static volatile char sink;
static char host[BYTES];

/* What orders the second stream behind the first, in the correct twins. */
static void let_t_wait_for_s(void) {
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
}

/* ---- the CPU ---- */

static void touch_device(bool wrong) {
    CUDA_OK(cuMemsetD8(cuda.a, 7, BYTES));
    CUDA_OK(cuMemcpyDtoH(host, cuda.a, BYTES));
    sink = wrong ? *cuda_at(cuda.a, 3) : host[3];
    SIM_WANT(sink == 7);
}

static void read_pinned_early(bool wrong) {
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *cuda_at((uintptr_t)cuda.pinned, 0);
}

static void write_pinned_early(bool wrong) {
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!wrong) CUDA_OK(cuEventSynchronize(cuda.e));
    *cuda_at((uintptr_t)cuda.pinned, BYTES - 1) = 1;
}

/* What waits for the default stream waits for those that block, and for no other. */
static void read_behind_the_default_stream(bool wrong) {
    CUstream stream;
    CUDA_OK(cuStreamCreate(&stream, wrong ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, stream));
    CUDA_OK(cuStreamSynchronize(NULL));
    sink = *cuda_at((uintptr_t)cuda.pinned, 0);
    CUDA_OK(cuStreamDestroy(stream));
}

static void touch_managed_early(bool wrong) {
    CUDA_OK(cuMemsetD32Async(cuda.managed, 9, BYTES / 4, cuda.s));
    if (!wrong) CUDA_OK(cuCtxSynchronize());
    sink = *cuda_at(cuda.managed, 8);
}

static void write_behind_pinned(bool wrong) {
    void *memory;
    CUDA_OK(cuMemHostAlloc(&memory, 100, 0));
    memset(memory, 1, wrong ? 101 : 100);
    CUDA_OK(cuMemFreeHost(memory));
}

/* ---- the order of streams ---- */

static void between_streams(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    if (!wrong) let_t_wait_for_s();
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.t));
}

/* Onto itself nothing changes, and it is a write in the order of things all the same. */
static void a_copy_onto_itself(bool wrong) {
    CUDA_OK(cuMemcpyDtoDAsync(cuda.a, cuda.a, BYTES, cuda.s));
    if (!wrong) let_t_wait_for_s();
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.t));
}

static void event_too_early(bool wrong) {
    if (wrong) let_t_wait_for_s();
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, cuda.s));
    if (!wrong) let_t_wait_for_s();
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.a, BYTES, cuda.t));
}

/* A stream that does not block is not ordered with the default stream; one that does, is. */
static void behind_the_default_stream(bool wrong) {
    CUstream stream;
    CUDA_OK(cuStreamCreate(&stream, wrong ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(cuMemsetD8(cuda.a, 1, BYTES));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, stream));
    CUDA_OK(cuStreamDestroy(stream));
}

/* The default stream of a thread is a stream like others. */
static void default_streams_apart(bool wrong) {
    CUDA_OK(cuMemsetD8Async_ptsz(cuda.a, 1, BYTES, NULL));
    CUstream stream = wrong ? cuda.s : CU_STREAM_LEGACY;
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, stream));
}

/* A synchronous copy from pageable memory returns when that has been read, not when the device has
 * it. */
static void behind_a_staged_copy(bool wrong) {
    CUDA_OK(cuMemcpyHtoD(cuda.a, host, BYTES));
    if (!wrong) CUDA_OK(cuStreamSynchronize(NULL));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.s));
}

/* Between two places on the device nobody waits, whatever the function is called. */
static void behind_a_copy_on_the_device(bool wrong) {
    CUDA_OK(cuMemcpyDtoD(cuda.b, cuda.a, BYTES));
    if (!wrong) CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.t));
}

/* A copy between devices is in the order of its own stream; the one without a stream is in that of
 * all, but nobody has waited for it. */
static void between_devices(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    if (wrong) CUDA_OK(cuMemcpyPeerAsync(cuda.b, cuda.context, cuda.a, cuda.context, 64, cuda.t));
    if (!wrong) CUDA_OK(cuMemcpyPeer(cuda.b, cuda.context, cuda.a, cuda.context, 64));
}

static void behind_a_copy_between_devices(bool wrong) {
    CUdeviceptr pinned = (uintptr_t)cuda.pinned;
    CUDA_OK(cuMemcpyPeer(pinned, cuda.context, cuda.a, cuda.context, 64));
    if (!wrong) CUDA_OK(cuStreamSynchronize(NULL));
    sink = *cuda_at(pinned, 3);
}

/* ---- memory ---- */

static void double_free(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, 64));
    CUDA_OK(cuMemFree(memory));
    if (wrong) CUDA_ANSWERS(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

static void use_after_free(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, 64));
    if (wrong) CUDA_OK(cuMemFree(memory));
    CUDA_ANSWERS(cuMemcpyDtoH(host, memory, 64), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuMemFree(memory));
}

static void beyond_the_end(bool wrong) {
    CUresult code = cuMemcpyDtoH(host, cuda.a + 1, wrong ? BYTES : BYTES - 1);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
}

static void host_as_device(bool wrong) {
    CUdeviceptr from = wrong ? (uintptr_t)host : cuda.a;
    CUresult code = cuMemcpyDtoD(cuda.b, from, BYTES);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
}

/* What is beside a registered range is no device's. */
static void beyond_what_is_registered(bool wrong) {
    CUDA_OK(cuMemHostRegister(host, BYTES / 2, 0));
    CUresult code =
        cuMemcpyDtoDAsync(cuda.a, (uintptr_t)host + 8, BYTES / 2 - (wrong ? 0 : 8), cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    CUDA_OK(cuMemHostUnregister(host));
}

static void memory_that_is_none(bool wrong) {
    const void *from = wrong ? (const void *)(uintptr_t)16 : host;
    CUresult code = cuMemcpyHtoD(cuda.a, from, 64);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
}

/* The answer is an error, which a program that frees does not look at. */
static void pinned_freed_as_device(bool wrong) {
    void *memory;
    CUDA_OK(cuMemAllocHost(&memory, BYTES));
    if (wrong) CUDA_ANSWERS(cuMemFree((uintptr_t)memory), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemFreeHost(memory));
}

static void device_freed_as_pinned(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    if (wrong) CUDA_ANSWERS(cuMemFreeHost((void *)(uintptr_t)memory), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemFree(memory));
}

static void pinned_freed_on_a_stream(bool wrong) {
    void *memory;
    CUDA_OK(cuMemAllocHost(&memory, BYTES));
    if (wrong) CUDA_ANSWERS(cuMemFreeAsync((uintptr_t)memory, cuda.s), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemFreeHost(memory));
}

/* In the order of a stream; a pool's memory is not waited for either when it is freed at once. */
static void freed_on_another_stream(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    CUDA_OK(cuMemFreeAsync(memory, wrong ? cuda.t : cuda.s));
}

static void pool_freed_in_use(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemFree(memory));
}

static void pinned_freed_in_use(bool wrong) {
    void *memory;
    CUDA_OK(cuMemAllocHost(&memory, BYTES));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, memory, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemFreeHost(memory));
}

/* What was allocated on one stream is there for another only behind the allocation. */
static void used_before_allocated(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    if (!wrong) let_t_wait_for_s();
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.t));
    CUDA_OK(cuMemFreeAsync(memory, cuda.t));
}

/* ---- handles ---- */

static void event_destroyed_twice(bool wrong) {
    CUevent event;
    CUDA_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CUDA_OK(cuEventDestroy(event));
    if (wrong) CUDA_ANSWERS(cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
}

static void wait_for_a_destroyed_event(bool wrong) {
    CUevent event;
    CUDA_OK(cuEventCreate(&event, 0));
    CUDA_OK(cuEventRecord(event, cuda.s));
    if (wrong) CUDA_OK(cuEventDestroy(event));
    CUresult code = cuStreamWaitEvent(cuda.t, event, 0);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS));
    if (!wrong) CUDA_OK(cuEventDestroy(event));
}

static void a_stream_as_event(bool wrong) {
    CUevent event = wrong ? (CUevent)(void *)cuda.s : cuda.e;
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_ANSWERS(cuEventSynchronize(event), wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

static void event_of_another_device(bool wrong) {
    CUcontext other;
    CUevent event;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(wrong ? other : cuda.context));
    CUDA_OK(cuEventCreate(&event, 0));
    CUDA_ANSWERS(cuEventRecord(event, cuda.s), wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

static void fill_on_another_device(bool wrong) {
    CUcontext other;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(wrong ? other : cuda.context));
    CUresult code = cuMemsetD8(cuda.a, 1, BYTES);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

static void context_destroyed_twice(bool wrong) {
    CUcontext own;
    CUDA_OK(cuCtxCreate(&own, 0, 0));
    CUDA_OK(cuCtxDestroy(own));
    if (wrong) CUDA_ANSWERS(cuCtxDestroy(own), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

/* A released primary context is no more; retained again it has the same name, and is. */
static void a_released_context(bool wrong) {
    CUcontext other;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    if (!wrong) CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUresult code = cuCtxPushCurrent(other);
    SIM_WANT(code == (wrong ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS));
    if (wrong) return;
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

static void no_context(bool wrong) {
    CUcontext context = wrong ? (CUcontext)(void *)host : cuda.context;
    CUresult code = cuMemcpyPeer(cuda.b, context, cuda.a, cuda.context, 8);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS));
}

static void the_primary_context_destroyed(bool wrong) {
    CUcontext other;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    if (wrong) CUDA_ANSWERS(cuCtxDestroy(other), CUDA_ERROR_INVALID_CONTEXT);
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

static void leaked_event(bool wrong) {
    CUevent event;
    CUDA_OK(cuEventCreate(&event, 0));
    if (!wrong) CUDA_OK(cuEventDestroy(event));
}

static void leaked_context(bool wrong) {
    CUcontext own;
    CUDA_OK(cuCtxCreate(&own, 0, 1));
    CUDA_OK(cuCtxPopCurrent(NULL));
    if (!wrong) CUDA_OK(cuCtxDestroy(own));
}

static void call_back(void *wrong) {
    if (wrong != NULL) CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_NOT_PERMITTED);
    host[0] = 1;
}

static void call_in_host_function(bool wrong) {
    CUDA_OK(cuLaunchHostFunc(cuda.s, call_back, wrong ? host : NULL));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(host[0] == 1);
}

/* ---- all of them ---- */

static const struct sim_pair pairs[] = {
    {touch_device, "device-memory-touched"},
    {read_pinned_early, "touched-before-wait"},
    {write_pinned_early, "touched-before-wait"},
    {read_behind_the_default_stream, "touched-before-wait"},
    {touch_managed_early, "touched-before-wait"},
    {write_behind_pinned, "red-zone-written"},
    {between_streams, "race"},
    {a_copy_onto_itself, "race"},
    {event_too_early, "race"},
    {behind_the_default_stream, "race"},
    {default_streams_apart, "race"},
    {behind_a_staged_copy, "race"},
    {behind_a_copy_on_the_device, "race"},
    {between_devices, "race"},
    {behind_a_copy_between_devices, "touched-before-wait"},
    {double_free, "double-free"},
    {use_after_free, "use-after-free"},
    {beyond_the_end, "out-of-bounds"},
    {host_as_device, "not-allocated"},
    {beyond_what_is_registered, "not-allocated"},
    {memory_that_is_none, "not-allocated"},
    {pinned_freed_as_device, "not-allocated"},
    {device_freed_as_pinned, "not-allocated"},
    {pinned_freed_on_a_stream, "not-allocated"},
    {freed_on_another_stream, "freed-in-use"},
    {pool_freed_in_use, "freed-in-use"},
    {pinned_freed_in_use, "freed-in-use"},
    {used_before_allocated, "race"},
    {event_destroyed_twice, "double-destroy"},
    {wait_for_a_destroyed_event, "use-after-destroy"},
    {a_stream_as_event, "bad-handle"},
    {event_of_another_device, "foreign-device"},
    {fill_on_another_device, "foreign-device"},
    {context_destroyed_twice, "double-destroy"},
    {a_released_context, "use-after-destroy"},
    {no_context, "bad-handle"},
    {the_primary_context_destroyed, "bad-handle"},
    {leaked_event, "leak"},
    {leaked_context, "leak"},
    {call_in_host_function, "call-in-host-function"},
};

#define PAIRS (sizeof pairs / sizeof *pairs)

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_tells_apart(&pairs[_i], cuda_scene_begin, cuda_scene_end, SIM_AT_LEAST_ONCE);
}
END_TEST

Suite *sim_cuda_violations_suite(void) {
    Suite *suite = suite_create("sim_cuda_violations");
    TCase *tests = tcase_create("violations");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0, (int)PAIRS);
    suite_add_tcase(suite, tests);
    return suite;
}
