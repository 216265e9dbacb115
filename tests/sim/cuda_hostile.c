/* SPDX-License-Identifier: Apache-2.0
 *
 * NULL, garbage and what is somebody else's, in every argument that it fits: each call comes back
 * with an error code, and the driver goes on.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_hostile_suite(void);

static char host[256];

/* ---- nothing at all, for every function ---- */

typedef CUresult (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                        uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
#define CALL(base, since, name, begin, parameters, ...) {#name, (void (*)(void))name},
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    {#name, (void (*)(void))name}, {#name #suffix, (void (*)(void))name##suffix},
#define PLAIN(base, since, name, parameters, ...) {#name, (void (*)(void))name},
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
};

#define FUNCTIONS (sizeof functions / sizeof *functions)

/* What has no argument that could be wrong, or takes NULL for something. */
static bool may_go_well(const char *name) {
    static const char *const names[] = {
        "cuInit",          "cuCtxSynchronize",    "cuStreamSynchronize",
        "cuStreamQuery",   "cuProfilerStart",     "cuProfilerStop",
        "cuCtxSetCurrent", "cuCtxSetFlags",       "cuCtxPopCurrent_v2",
        "cuDevicePrimary", "cuCtxGetStreamPrior", "cuMemFree_v2",
        "cuMemFreeAsync",  "cuMemFreeHost",       "cuMemcpy",
        "cuMemset",        "cuStreamIsCapturing",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

/* They end the context; the last one takes a structure, and not as a word on every machine. */
static bool is_called_elsewhere(const char *name) {
    return strcmp(name, "cuDevicePrimaryCtxRelease_v2") == 0 ||
           strcmp(name, "cuDevicePrimaryCtxReset_v2") == 0 ||
           strcmp(name, "cuIpcOpenMemHandle_v2") == 0;
}

static void call_with_nothing(void) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (is_called_elsewhere(functions[i].name)) continue;
        CUresult code = ((any)functions[i].function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        sim_want(code != CUDA_SUCCESS || may_go_well(functions[i].name), functions[i].name,
                 __FILE__, __LINE__);
    }
}

static void with_nothing(void) {
    call_with_nothing(); /* before it is initialized, at first */
    for (int i = 0; i < 2; i++) {
        cuda_scene_begin();
        call_with_nothing();
        CUDA_OK(cuCtxSetCurrent(cuda.context));
        cuda_scene_end();
    }
}

START_TEST(nothing_is_an_error)
{
    for (size_t i = 0; i < 3; i++) free(sim_play(with_nothing, sim_way_at(i), 0));
}
END_TEST

/* ---- what is no handle, or one of something else ---- */

enum {
    ODD = 14
};

static size_t odd_handles(uintptr_t out[ODD]) {
    static adi_sim_context elsewhere;
    adi_sim_queue queue;
    adi_sim_event event;
    void *memory, *pinned;
    CUstream gone;
    CUevent past;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &elsewhere) == 0);
    SIM_WANT(adi_sim_queue_create(elsewhere, 0, &queue) == 0);
    SIM_WANT(adi_sim_event_create(elsewhere, &event) == 0);
    SIM_WANT(adi_sim_alloc(elsewhere, ADI_SIM_DEVICE, 64, &memory) == 0);
    SIM_WANT(adi_sim_alloc(elsewhere, ADI_SIM_PINNED, 64, &pinned) == 0);
    CUDA_OK(cuStreamCreate(&gone, 0));
    CUDA_OK(cuStreamDestroy(gone));
    CUDA_OK(cuEventCreate(&past, 0));
    CUDA_OK(cuEventDestroy(past));
    const uintptr_t odd[ODD] = {3,
                                4096,
                                UINTPTR_MAX,
                                UINTPTR_MAX - 15,
                                (uintptr_t)host,
                                (uintptr_t)cuda.pinned,
                                (uintptr_t)cuda.a,
                                (uintptr_t)elsewhere,
                                (uintptr_t)queue,
                                (uintptr_t)event,
                                (uintptr_t)memory,
                                (uintptr_t)pinned,
                                (uintptr_t)gone,
                                (uintptr_t)past};
    memcpy(out, odd, sizeof odd);
    return ODD;
}

static void refused(CUresult code, const char *what, int line) {
    sim_want(code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY, what, __FILE__, line);
}

#define REFUSED(call) refused(call, #call, __LINE__)

static void as_streams(uintptr_t odd) {
    CUstream stream = (CUstream)odd;
    CUdeviceptr memory;
    CUcontext context;
    int number;
    unsigned flags;
    REFUSED(cuStreamSynchronize(stream));
    REFUSED(cuStreamQuery(stream));
    REFUSED(cuStreamWaitEvent(stream, cuda.e, 0));
    REFUSED(cuStreamGetPriority(stream, &number));
    REFUSED(cuStreamGetFlags(stream, &flags));
    REFUSED(cuStreamGetCtx(stream, &context));
    REFUSED(cuStreamGetDevice(stream, &number));
    REFUSED(cuStreamDestroy(stream));
    REFUSED(cuEventRecord(cuda.e, stream));
    REFUSED(cuMemsetD8Async(cuda.a, 1, 1, stream));
    REFUSED(cuMemcpyDtoDAsync(cuda.a, cuda.b, 8, stream));
    REFUSED(cuMemAllocAsync(&memory, 8, stream));
    REFUSED(cuMemFreeAsync(cuda.a, stream));
    REFUSED(cuLaunchHostFunc(stream, free, NULL));
}

static void as_events(uintptr_t odd) {
    CUevent event = (CUevent)odd;
    float time;
    REFUSED(cuEventRecord(event, cuda.s));
    REFUSED(cuEventQuery(event));
    REFUSED(cuEventSynchronize(event));
    REFUSED(cuEventElapsedTime(&time, cuda.e, event));
    REFUSED(cuEventElapsedTime(&time, event, cuda.e));
    REFUSED(cuStreamWaitEvent(cuda.s, event, 0));
    REFUSED(cuEventDestroy(event));
}

static void as_contexts(uintptr_t odd) {
    CUcontext context = (CUcontext)odd;
    unsigned version;
    unsigned long long id;
    REFUSED(cuCtxPushCurrent(context));
    REFUSED(cuCtxSetCurrent(context));
    REFUSED(cuCtxDestroy(context));
    REFUSED(cuCtxGetApiVersion(context, &version));
    REFUSED(cuCtxGetId(context, &id));
    REFUSED(cuCtxEnablePeerAccess(context, 0));
    REFUSED(cuMemcpyPeer(cuda.a, context, cuda.b, cuda.context, 8));
}

static void as_memory(uintptr_t odd) {
    CUdeviceptr start;
    void *nowhere = (void *)odd;
    REFUSED(cuMemFree(odd));
    REFUSED(cuMemFreeAsync(odd, cuda.s));
    REFUSED(cuMemcpyHtoD(odd, host, 8));
    REFUSED(cuMemcpyDtoD(cuda.a, odd, 8));
    REFUSED(cuMemsetD8(odd, 1, 8));
    REFUSED(cuMemFreeHost(nowhere));
    REFUSED(cuMemHostUnregister(nowhere));
    REFUSED(cuMemHostGetDevicePointer(&start, nowhere, 0));
    REFUSED(cuMemGetAddressRange(&start, NULL, odd));
}

static void with_garbage(void) {
    uintptr_t odd[ODD];
    cuda_scene_begin();
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    size_t n = odd_handles(odd);
    for (size_t i = 0; i < n; i++) {
        as_streams(odd[i]);
        if (odd[i] != (uintptr_t)cuda.pinned) as_contexts(odd[i]);
        as_events(odd[i]);
        bool memory = odd[i] == (uintptr_t)cuda.pinned || odd[i] == (uintptr_t)cuda.a;
        if (!memory) as_memory(odd[i]);
    }
    as_streams((uintptr_t)cuda.e);
    as_streams((uintptr_t)cuda.context);
    as_events((uintptr_t)cuda.s);
    as_contexts((uintptr_t)cuda.s);
    as_memory((uintptr_t)cuda.s);
    as_memory(cuda.a + CUDA_BYTES + 64); /* between two allocations */
    cuda_scene_end();
}

START_TEST(garbage_and_what_is_of_others_is_refused)
{
    for (size_t i = 0; i < 3; i++) free(sim_play(with_garbage, sim_way_at(i), 0));
}
END_TEST

/* ---- sizes ---- */

static void with_odd_sizes(void) {
    static const size_t sizes[] = {CUDA_BYTES + 1, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX};
    CUdeviceptr memory;
    void *pinned;
    cuda_scene_begin();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        REFUSED(cuMemcpyHtoD(cuda.a, host, sizes[i]));
        REFUSED(cuMemcpyDtoH(host, cuda.a, sizes[i]));
        REFUSED(cuMemcpyDtoD(cuda.a, cuda.b, sizes[i]));
        REFUSED(cuMemsetD8(cuda.a, 1, sizes[i]));
        REFUSED(cuMemsetD32(cuda.a, 1, sizes[i]));
        if (i > 0) REFUSED(cuMemAlloc(&memory, sizes[i]));
        if (i > 0) REFUSED(cuMemAllocHost(&pinned, sizes[i]));
        if (i > 0) REFUSED(cuMemAllocAsync(&memory, sizes[i], cuda.s));
    }
    cuda_scene_end();
}

START_TEST(sizes_that_are_too_large_are_refused)
{ free(sim_play(with_odd_sizes, sim_way_at(0), 0)); }
END_TEST

Suite *sim_cuda_hostile_suite(void) {
    Suite *suite = suite_create("sim_cuda_hostile");
    TCase *tests = tcase_create("hostile");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, nothing_is_an_error);
    tcase_add_test(tests, garbage_and_what_is_of_others_is_refused);
    tcase_add_test(tests, sizes_that_are_too_large_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
