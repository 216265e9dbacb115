/* SPDX-License-Identifier: Apache-2.0
 *
 * Correct programs on CUDA: none is blamed, none hangs, and each computes the same under every
 * policy.
 */
#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_programs_suite(void);

#define BYTES CUDA_BYTES

static char host[BYTES];

/* ---- streams ---- */

/* Work of two blocking streams is between what the default stream did before and does after. */
static void around_the_default_stream(void) {
    CUstream one, two;
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&one, 0));
    CUDA_OK(cuStreamCreateWithPriority(&two, 0, -1));
    CUDA_OK(cuMemsetD8(cuda.a, 1, BYTES));
    CUDA_OK(cuMemsetD8Async(cuda.a, 2, BYTES / 2, one));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a + BYTES / 2, BYTES / 2, two));
    CUDA_OK(cuMemcpyDtoH(host, cuda.a, BYTES));
    SIM_WANT(host[0] == 2 && host[BYTES - 1] == 1);
    CUDA_OK(cuMemcpyDtoH(host, cuda.b, BYTES / 2));
    SIM_WANT(host[0] == 1);
    CUDA_OK(cuStreamDestroy(one));
    CUDA_OK(cuStreamDestroy(two));
    cuda_scene_end();
}

/* Each thread has a default stream, which is ordered with the legacy one. */
static void *fill_by_thread(void *argument) {
    CUdeviceptr part = cuda.a + (uintptr_t)argument * 64;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemsetD8Async_ptsz(part, (unsigned char)(uintptr_t)argument, 64, NULL));
    return NULL; /* with work in its stream */
}

static void streams_of_threads(void) {
    pthread_t threads[4];
    cuda_scene_begin();
    for (uintptr_t i = 0; i < 4; i++) {
        SIM_WANT(pthread_create(&threads[i], NULL, fill_by_thread, (void *)i) == 0);
        SIM_WANT(pthread_join(threads[i], NULL) == 0);
    }
    CUDA_OK(cuMemcpyDtoH(host, cuda.a, 4 * 64));
    for (int i = 0; i < 4; i++) SIM_WANT(host[i * 64] == i && host[i * 64 + 63] == i);
    cuda_scene_end();
}

static void until_it_is_ready(void) {
    CUresult code;
    cuda_scene_begin();
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    while ((code = cuEventQuery(cuda.e)) == CUDA_ERROR_NOT_READY) continue;
    CUDA_OK(code);
    SIM_WANT(*cuda_at(cuda.managed, BYTES - 1) == 5);
    CUDA_OK(cuMemsetD8Async(cuda.managed, 6, BYTES, cuda.t));
    while ((code = cuStreamQuery(cuda.t)) == CUDA_ERROR_NOT_READY) continue;
    CUDA_OK(code);
    SIM_WANT(*cuda_at(cuda.managed, 0) == 6);
    cuda_scene_end();
}

/* A wait for the legacy stream, or a query, is one for the blocking streams too. */
static void until_the_default_stream_is(void) {
    CUstream stream;
    CUresult code;
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, stream));
    CUDA_OK(cuStreamSynchronize(NULL));
    SIM_WANT(*cuda_at(cuda.managed, BYTES - 1) == 5);
    for (unsigned char i = 6; i < 9; i++) {
        CUDA_OK(cuMemsetD8Async(cuda.managed, i, BYTES, stream));
        CUDA_OK(cuMemcpyDtoDAsync(cuda.a, cuda.managed, BYTES, stream));
        CUDA_OK(cuMemsetD8Async_ptsz(cuda.b, i, BYTES, NULL));
        while ((code = cuStreamQuery(CU_STREAM_LEGACY)) == CUDA_ERROR_NOT_READY) continue;
        CUDA_OK(code);
        SIM_WANT(*cuda_at(cuda.managed, 0) == i);
    }
    CUDA_OK(cuStreamDestroy(stream));
    cuda_scene_end();
}

static sem_t told;

static void tell(void *data) {
    *(volatile char *)data = 1;
    sem_post(&told);
}

static void tell_of_stream(CUstream stream, CUresult status, void *data) {
    SIM_WANT(stream == cuda.t && status == CUDA_SUCCESS);
    tell(data);
}

static void told_by_callbacks(void) {
    static char first, second;
    cuda_scene_begin();
    sem_init(&told, 0, 0);
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, tell, &first));
    sem_wait(&told);
    SIM_WANT(first == 1 && *cuda_at(cuda.managed, 1) == 5);
    CUDA_OK(cuStreamAddCallback(cuda.t, tell_of_stream, &second, 0));
    CUDA_OK(cuStreamSynchronize(cuda.t));
    SIM_WANT(second == 1);
    cuda_scene_end();
}

/* ---- copies ---- */

/* What a copy from pageable memory reads is what is there when it is called. */
static void from_pageable_memory(void) {
    char out[BYTES];
    cuda_scene_begin();
    memset(host, 1, BYTES);
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, host, BYTES, cuda.s));
    memset(host, 2, BYTES);
    CUDA_OK(cuMemcpyDtoHAsync(out, cuda.a, BYTES, cuda.s));
    SIM_WANT(out[0] == 1 && out[BYTES - 1] == 1);
    CUDA_OK(cuMemcpyHtoD(cuda.b, host, BYTES));
    memset(host, 3, BYTES);
    CUDA_OK(cuMemcpyDtoH(out, cuda.b, BYTES));
    SIM_WANT(out[7] == 2);
    cuda_scene_end();
}

/* A synchronous copy to or from pinned memory is over when it returns. */
static void with_pinned_memory(void) {
    cuda_scene_begin();
    memset(cuda.pinned, 4, BYTES);
    CUDA_OK(cuMemcpyHtoD(cuda.a, cuda.pinned, BYTES));
    memset(cuda.pinned, 5, BYTES);
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemcpyDtoH(cuda.pinned, cuda.b, BYTES));
    SIM_WANT(cuda.pinned[BYTES - 1] == 4);
    cuda_scene_end();
}

static void of_any_kind(void) {
    CUdeviceptr pinned = (uintptr_t)cuda.pinned, out = (uintptr_t)host;
    cuda_scene_begin();
    pinned = (uintptr_t)cuda.pinned;
    memset(cuda.pinned, 7, BYTES);
    CUDA_OK(cuMemcpy(cuda.managed, pinned, BYTES));
    CUDA_OK(cuMemcpyAsync(cuda.a, cuda.managed, BYTES, cuda.s));
    CUDA_OK(cuMemcpyAsync(out, cuda.a, BYTES, cuda.s));
    SIM_WANT(host[1] == 7);
    CUDA_OK(cuMemcpyAsync(out, pinned, 8, cuda.t)); /* of the host to the host: it waits */
    CUDA_OK(cuMemcpy(out + 8, out, 8));
    SIM_WANT(host[15] == 7);
    CUDA_OK(cuMemcpy(cuda.a, out, 0));
    cuda_scene_end();
}

static void of_all_widths(void) {
    uint16_t halves[4];
    uint32_t words[4];
    cuda_scene_begin();
    CUDA_OK(cuMemsetD16(cuda.a, 0x1234, 4));
    CUDA_OK(cuMemsetD32(cuda.b, 0x12345678, 4));
    CUDA_OK(cuMemcpyDtoH(halves, cuda.a, sizeof halves));
    CUDA_OK(cuMemcpyDtoH(words, cuda.b, sizeof words));
    SIM_WANT(halves[3] == 0x1234 && words[3] == 0x12345678);
    CUDA_OK(cuMemsetD8(cuda.managed, 3, BYTES)); /* the CPU can see it: that waits */
    SIM_WANT(*cuda_at(cuda.managed, 5) == 3);
    cuda_scene_end();
}

/* Two devices: a copy from one to the other on a stream, and what is ordered by an event of one
 * device for a stream of the other. */
static void between_devices(void) {
    CUcontext other;
    CUdeviceptr there;
    CUstream stream;
    cuda_scene_begin();
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuMemAlloc(&there, BYTES));
    CUDA_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuCtxEnablePeerAccess(cuda.context, 0));
    CUDA_ANSWERS(cuCtxEnablePeerAccess(cuda.context, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemsetD8Async(cuda.a, 9, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(stream, cuda.e, 0));
    CUDA_OK(cuMemcpyPeerAsync(there, other, cuda.a, cuda.context, BYTES, stream));
    CUDA_OK(cuMemcpyDtoHAsync(host, there, BYTES, stream));
    SIM_WANT(host[BYTES - 1] == 9);
    CUDA_OK(cuMemcpyPeer(cuda.b, cuda.context, there, other, BYTES));
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuStreamDestroy(stream));
    CUDA_OK(cuMemFree(there));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    cuda_scene_end();
}

/* cuMemcpyPeer is ordered with all work of the three contexts, whatever its stream: that of one
 * that was destroyed, and of one that does not block. */
static void in_the_midst_of_two_devices(void) {
    CUcontext other;
    CUdeviceptr there;
    CUstream streams[3];
    cuda_scene_begin();
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuMemAlloc(&there, BYTES));
    for (unsigned i = 0; i < 3; i++) CUDA_OK(cuStreamCreate(&streams[i], i > 0));
    CUDA_OK(cuCtxPopCurrent(NULL));
    for (unsigned char round = 1; round <= 3; round++) {
        CUDA_OK(cuCtxPushCurrent(other));
        for (unsigned i = 0; i < 3; i++)
            CUDA_OK(cuMemsetD8Async(there + i * 64, round, 64, streams[i]));
        if (round == 3) CUDA_OK(cuStreamDestroy(streams[2]));
        CUDA_OK(cuCtxPopCurrent(NULL));
        CUDA_OK(cuMemsetD8Async(cuda.a, 9, 64, cuda.s));
        CUDA_OK(cuMemcpyPeer(cuda.a, cuda.context, there, other, 3 * (size_t)64));
        CUDA_OK(cuMemcpyDtoHAsync(host, cuda.a, 3 * (size_t)64, cuda.t));
        for (unsigned i = 0; i < 3; i++)
            SIM_WANT(host[i * 64] == round && host[i * 64 + 63] == round);
    }
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuMemcpyPeer_ptds(cuda.b, cuda.context, cuda.a, cuda.context, 64));
    CUDA_OK(cuStreamDestroy(streams[0]));
    CUDA_OK(cuStreamDestroy(streams[1]));
    CUDA_OK(cuMemFree(there));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.b, 64, cuda.s));
    SIM_WANT(host[63] == 3);
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    cuda_scene_end();
}

/* ---- memory ---- */

/* cuMemFree waits for the work that still uses what is freed. */
static void freed_behind_its_work(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    for (int i = 0; i < 3; i++) {
        CUDA_OK(cuMemAlloc(&memory, BYTES));
        CUDA_OK(cuMemsetD8Async(memory, (unsigned char)i, BYTES, cuda.s));
        CUDA_OK(cuMemcpyDtoDAsync(cuda.a, memory, BYTES, cuda.s));
        CUDA_OK(cuMemFree(memory));
    }
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.a, BYTES, cuda.s));
    SIM_WANT(host[0] == 2);
    cuda_scene_end();
}

static void in_the_order_of_a_stream(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    for (int i = 0; i < 64; i++) {
        CUDA_OK(cuMemAllocAsync(&memory, (size_t)1 << 20, cuda.s));
        CUDA_OK(cuMemsetD8Async(memory, 1, (size_t)1 << 20, cuda.s));
        CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    }
    CUDA_OK(cuMemAllocAsync_ptsz(&memory, 64, NULL));
    CUDA_OK(cuMemFreeAsync_ptsz(memory, NULL));
    CUDA_OK(cuMemAlloc(&memory, 64));
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    cuda_scene_end();
}

static void registered_memory(void) {
    CUdeviceptr device;
    cuda_scene_begin();
    CUDA_OK(cuMemHostRegister(host, BYTES, 0));
    CUDA_OK(cuMemHostGetDevicePointer(&device, host + 8, 0));
    SIM_WANT(device == (uintptr_t)host + 8);
    memset(host, 3, BYTES);
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, host, BYTES, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    memset(host, 4, BYTES);
    CUDA_OK(cuMemcpyHtoD(cuda.b, host, BYTES)); /* as from pinned memory: that is over */
    CUDA_OK(cuMemcpyDtoDAsync(cuda.a, cuda.b, BYTES, cuda.s));
    CUDA_OK(cuMemHostUnregister(host));
    cuda_scene_end();
}

static void registered_memory_by_its_device_pointer(void) {
    static char out[BYTES];
    uint16_t half;
    CUdeviceptr device;
    cuda_scene_begin();
    CUDA_OK(cuMemHostRegister(host, BYTES, 2));
    CUDA_OK(cuMemHostGetDevicePointer(&device, host, 0));
    memset(host, 5, BYTES);
    CUDA_OK(cuMemcpyDtoH(out, device, BYTES));
    SIM_WANT(out[BYTES - 1] == 5);
    CUDA_OK(cuMemcpyDtoDAsync(cuda.a, device + 8, 64, cuda.s));
    CUDA_OK(cuMemsetD16Async(device, 0x1234, BYTES / 2, cuda.s));
    CUDA_OK(cuMemsetD8Async(device, 6, 64, cuda.s));
    CUDA_OK(cuMemcpyDtoDAsync(device + 64, cuda.a, 64, cuda.s));
    CUDA_OK(cuMemcpyHtoDAsync(device + 128, out, 64, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    memcpy(&half, host + BYTES - 2, sizeof half);
    SIM_WANT(host[0] == 6 && host[63] == 6 && host[64] == 5 && host[191] == 5 && half == 0x1234);
    CUDA_OK(cuMemHostUnregister(host));
    cuda_scene_end();
}

/* With its context a registration ends. */
static void registered_in_a_context_that_ends(void) {
    CUcontext own;
    cuda_scene_begin();
    CUDA_OK(cuCtxCreate(&own, 0, 0));
    CUDA_OK(cuMemHostRegister(host, BYTES, 0));
    CUDA_OK(cuCtxDestroy(own));
    CUDA_OK(cuMemHostRegister(host, BYTES, 0));
    CUDA_OK(cuMemHostUnregister(host));
    cuda_scene_end();
}

/* ---- contexts ---- */

/* A context goes with all that is in it, and that is no mistake. */
static void a_context_of_its_own(void) {
    CUcontext own, top;
    CUdeviceptr memory;
    CUstream stream;
    cuda_scene_begin();
    CUDA_OK(cuCtxCreate(&own, 0, 0));
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, stream));
    CUDA_OK(cuCtxDestroy(own));
    CUDA_OK(cuCtxGetCurrent(&top));
    SIM_WANT(top == cuda.context);
    cuda_scene_end();
}

/* What a program gives back when it has let go of its context. */
static void back_without_a_context(void) {
    cuda_scene_begin();
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuEventSynchronize(cuda.e));
    CUDA_OK(cuEventDestroy(cuda.e));
    CUDA_OK(cuMemFree(cuda.a));
    CUDA_OK(cuMemFree(cuda.b));
    CUDA_OK(cuMemFree(cuda.managed));
    CUDA_OK(cuMemFreeHost(cuda.pinned));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuStreamDestroy(cuda.s));
    CUDA_OK(cuStreamDestroy(cuda.t));
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

/* The primary context is the same to a program whenever it is there. */
static void the_primary_context_again(void) {
    CUcontext again;
    for (int i = 0; i < 3; i++) {
        cuda_scene_begin();
        CUcontext first = cuda.context;
        CUDA_OK(cuDevicePrimaryCtxRetain(&again, 0));
        SIM_WANT(again == first);
        CUDA_OK(cuDevicePrimaryCtxRelease(0));
        cuda_scene_end();
    }
}

/* ---- all of them ---- */

static void (*const programs[])(void) = {
    around_the_default_stream,
    streams_of_threads,
    until_it_is_ready,
    until_the_default_stream_is,
    told_by_callbacks,
    from_pageable_memory,
    with_pinned_memory,
    of_any_kind,
    of_all_widths,
    between_devices,
    in_the_midst_of_two_devices,
    freed_behind_its_work,
    in_the_order_of_a_stream,
    registered_memory,
    registered_memory_by_its_device_pointer,
    registered_in_a_context_that_ends,
    a_context_of_its_own,
    back_without_a_context,
    the_primary_context_again,
};

#define PROGRAMS (sizeof programs / sizeof *programs)

START_TEST(a_correct_program_is_never_blamed_and_its_log_is_the_same_again)
{
    sim_play_with("ADI_SIM_MEMORY", "8388608");
    for (size_t i = 0; i < sim_ways(); i++) {
        char *log = sim_play(programs[_i], sim_way_at(i), 0);
        char *again = sim_play(programs[_i], sim_way_at(i), 0);
        ck_assert_msg(sim_count_errors(log) == 0, "%s", log);
        /* On a slow machine the thread for host functions may have had its turn in between. */
        bool idle = strstr(log, "\"idle\"") != NULL || strstr(again, "\"idle\"") != NULL;
        ck_assert_msg(idle || strcmp(log, again) == 0, "%s\nand then\n%s", log, again);
        free(log);
        free(again);
    }
}
END_TEST

Suite *sim_cuda_programs_suite(void) {
    Suite *suite = suite_create("sim_cuda_programs");
    TCase *tests = tcase_create("programs");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_correct_program_is_never_blamed_and_its_log_is_the_same_again, 0,
                        (int)PROGRAMS);
    suite_add_tcase(suite, tests);
    return suite;
}
