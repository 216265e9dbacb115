/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders that are easily got wrong, by a program or by whoever judges it: each correct program has
 * a twin in which one edge is missing, or is there for something else. Under every policy.
 */
#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_orders_suite(void);

#define BYTES CUDA_BYTES

static volatile char sink;
static char host[BYTES];

static void order(CUstream second, CUstream first) {
    CUDA_OK(cuEventRecord(cuda.e, first));
    CUDA_OK(cuStreamWaitEvent(second, cuda.e, 0));
}

/* ---- what a free waits for ---- */

/* A stream that waits for another behind what is freed: that wait is nobody's yet. */
static void freed_before_a_wait(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    if (wrong) CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, cuda.t));
    order(cuda.s, cuda.t);
    if (!wrong) CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    CUDA_OK(cuMemFree(memory));
    sink = *cuda_at(cuda.managed, 0);
    SIM_WANT(wrong || sink == 5);
}

/* The same when the stream has been destroyed meanwhile. */
static void freed_behind_a_destroyed_stream(bool wrong) {
    CUdeviceptr memory;
    CUstream third;
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, cuda.t));
    if (!wrong) order(third, cuda.t);
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, third));
    CUDA_OK(cuStreamDestroy(third));
    CUDA_OK(cuMemFree(memory));
    sink = *cuda_at(cuda.managed, 0);
    SIM_WANT(wrong || sink == 5);
}

/* ---- host functions ---- */

static sem_t go;

static void make(void *data) {
    sem_wait(&go);
    memset(data, 7, BYTES);
}

/* A blocking stream is behind what was in the default stream, not behind what came there later. */
static void made_for_a_blocking_stream(bool wrong) {
    CUstream blocking;
    sem_init(&go, 0, 0);
    CUDA_OK(cuStreamCreate(&blocking, 0));
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, BYTES, NULL));
    if (wrong) CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, blocking));
    CUDA_OK(cuLaunchHostFunc(cuda.s, make, cuda.pinned));
    order(CU_STREAM_LEGACY, cuda.s);
    if (!wrong) CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, blocking));
    sem_post(&go);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuStreamDestroy(blocking));
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static bool is_told;

static void tell(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    is_told = true;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&mutex);
}

/* What is before the function is known to whom it tells; what is behind it, or elsewhere, is not.
 */
static void told_by_a_function(bool wrong) {
    is_told = false;
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES / 2, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, tell, NULL));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned + BYTES / 2, cuda.a, BYTES / 2, cuda.s));
    pthread_mutex_lock(&mutex);
    while (!is_told) pthread_cond_wait(&told, &mutex);
    pthread_mutex_unlock(&mutex);
    sink = *cuda_at((uintptr_t)cuda.pinned, wrong ? BYTES / 2 : BYTES / 2 - 1);
}

/* What is wrong with the function is not wrong with who touches what it waits for. */
static void call_and_wait(void *unused) {
    (void)unused;
    CUDA_ANSWERS(cuCtxSynchronize(), CUDA_ERROR_NOT_PERMITTED);
    sem_wait(&go);
}

static void make_what_is_waited_for(void) {
    cuda_scene_begin();
    sem_init(&go, 0, 0);
    CUDA_OK(cuLaunchHostFunc(cuda.s, call_and_wait, NULL));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, cuda.s));
    cuda.pinned[0] = 1;
    sem_post(&go);
    cuda_scene_end();
}

START_TEST(what_others_do_wrong_meanwhile_does_not_end_who_touches)
{
    sim_play_with("ADI_SIM_TOUCH", "stop");
    sim_is_named(make_what_is_waited_for, "call-in-host-function", 1);
}
END_TEST

/* ---- events that are recorded again ---- */

static void recorded_again(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!wrong) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuEventRecord(cuda.e, CU_STREAM_PER_THREAD));
    if (wrong) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.t));
}

/* Two events that take turns, over a ring of pinned memory. */
static void ring(bool wrong) {
    CUevent events[2];
    for (int i = 0; i < 2; i++) CUDA_OK(cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 8; i++) {
        char *half = cuda.pinned + (i % 2) * BYTES / 2;
        CUstream stream = i % 2 == 0 ? cuda.s : cuda.t;
        if (i >= 2) CUDA_OK(cuEventSynchronize(events[wrong && i == 5 ? 0 : i % 2]));
        memset(half, i, 64);
        CUDA_OK(cuMemcpyHtoDAsync(cuda.a + (size_t)i * 64, half, 64, stream));
        CUDA_OK(cuEventRecord(events[i % 2], stream));
    }
    for (int i = 0; i < 2; i++) CUDA_OK(cuEventDestroy(events[i]));
}

/* By the time between two events. */
static void until_there_is_a_time(bool wrong) {
    CUevent end;
    CUresult code;
    float ms;
    CUDA_OK(cuEventCreate(&end, 0));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuEventRecord(end, cuda.s));
    if (wrong) CUDA_OK(cuEventRecord(end, cuda.t));
    while ((code = cuEventElapsedTime(&ms, cuda.e, end)) == CUDA_ERROR_NOT_READY) continue;
    CUDA_OK(code);
    sink = *cuda_at(cuda.managed, 0);
    CUDA_OK(cuEventDestroy(end));
}

/* ---- parts ---- */

static void disjoint_halves(bool wrong) {
    size_t half = BYTES / 2;
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, half, cuda.s));
    CUDA_OK(cuMemsetD8Async(cuda.a + half - wrong, 2, half, cuda.t));
}

/* Columns of a matrix by turns, each a byte beside the other. */
static void columns(bool wrong) {
    for (size_t row = 0; row < 16; row++)
        for (size_t column = 0; column < 16; column++)
            CUDA_OK(cuMemsetD8Async(cuda.a + row * 16 + column, 1,
                                    wrong && row == 9 && column == 3 ? 2 : 1,
                                    column % 2 == 0 ? cuda.s : cuda.t));
}

/* Readers need not wait for each other; a writer waits for all of them. */
static void many_readers(bool wrong) {
    CUstream third;
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES / 2, cuda.s));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b + BYTES / 2, cuda.a, BYTES / 2, cuda.t));
    order(third, cuda.s);
    if (!wrong) order(third, cuda.t);
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, third));
    CUDA_OK(cuStreamDestroy(third));
}

/* ---- memory in the order of streams ---- */

static void freed_by_another_stream(bool wrong) {
    CUdeviceptr memory;
    for (int i = 0; i < 8; i++) {
        CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
        CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
        order(cuda.t, cuda.s);
        CUDA_OK(cuMemcpyDtoDAsync(cuda.b, memory, BYTES, cuda.t));
        if (!wrong || i < 7) order(cuda.s, cuda.t);
        CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    }
}

static void freed_in_the_default_stream(bool wrong) {
    CUdeviceptr memory;
    CUstream stream;
    CUDA_OK(cuStreamCreate(&stream, wrong ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, NULL));
    CUDA_OK(cuMemsetD8Async_ptsz(memory, 1, BYTES, NULL));
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES / 2, NULL));
    CUDA_OK(cuStreamSynchronize(NULL));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, memory, BYTES, stream));
    CUDA_OK(cuMemFreeAsync(memory, NULL));
    CUDA_OK(cuStreamDestroy(stream));
}

/* ---- the default stream ---- */

/* It is no bridge for streams that do not block, and one for those that do. */
static void by_way_of_the_default_stream(bool wrong) {
    CUstream one, two;
    CUDA_OK(cuStreamCreate(&one, wrong ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(cuStreamCreate(&two, 0));
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, one));
    CUDA_OK(cuEventRecord(cuda.e, NULL));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, two));
    CUDA_OK(cuStreamDestroy(one));
    CUDA_OK(cuStreamDestroy(two));
}

/* An event that was recorded in it before a blocking stream's work does not stand for that. */
static void an_event_of_the_default_stream(bool wrong) {
    CUstream stream;
    CUDA_OK(cuStreamCreate(&stream, 0));
    if (wrong) CUDA_OK(cuEventRecord(cuda.e, NULL));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, stream));
    if (!wrong) CUDA_OK(cuEventRecord(cuda.e, NULL));
    CUDA_OK(cuStreamDestroy(stream));
    CUDA_OK(cuEventSynchronize(cuda.e));
    sink = *cuda_at(cuda.managed, 0);
}

static void *fill_in_a_thread(void *stream) {
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemsetD8Async(cuda.managed, 5, BYTES, stream));
    CUDA_OK(cuEventRecord(cuda.e, stream));
    return NULL;
}

/* An event of one thread is another's to wait for. */
static void by_another_thread(bool wrong) {
    pthread_t other;
    if (wrong) CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUevent before = cuda.e;
    if (wrong) CUDA_OK(cuEventCreate(&cuda.e, 0));
    SIM_WANT(pthread_create(&other, NULL, fill_in_a_thread, cuda.s) == 0);
    SIM_WANT(pthread_join(other, NULL) == 0);
    CUDA_OK(cuEventSynchronize(before));
    sink = *cuda_at(cuda.managed, 0);
    if (wrong) CUDA_OK(cuEventDestroy(before));
}

/* ---- two devices ---- */

static void chain_over_two_devices(bool wrong) {
    CUcontext other;
    CUstream there;
    CUevent event;
    CUdeviceptr memory;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuStreamCreate(&there, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuEventCreate(&event, 0));
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemsetD8Async(cuda.a, 3, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(there, cuda.e, 0));
    CUDA_OK(cuMemcpyPeerAsync(memory, other, cuda.a, cuda.context, BYTES, there));
    if (!wrong) CUDA_OK(cuEventRecord(event, there));
    if (!wrong) CUDA_OK(cuStreamWaitEvent(cuda.t, event, 0));
    CUDA_OK(cuMemcpyPeerAsync(cuda.b, cuda.context, memory, other, BYTES, cuda.t));
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.b, BYTES, cuda.t));
    SIM_WANT(wrong || host[9] == 3);
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemFree(memory));
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuStreamDestroy(there));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

/* A wait for a context is none for the other device's. */
static void wait_for_a_context(bool wrong) {
    CUcontext other;
    CUstream there;
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuStreamCreate(&there, 0));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, there));
    if (wrong) CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuCtxSynchronize());
    sink = *cuda_at((uintptr_t)cuda.pinned, 1);
    if (wrong) CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuStreamSynchronize(there));
    CUDA_OK(cuStreamDestroy(there));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

/* ---- a device that is lost ---- */

/* Who has been told so may give back what its work used: that is no more. */
static void give_back_what_was_lost(bool asks) {
    cuda_scene_begin();
    CUDA_OK(cuMemcpyHtoDAsync(cuda.managed, cuda.pinned, BYTES, cuda.s));
    if (asks) CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_LAUNCH_FAILED);
    if (asks) *cuda_at((uintptr_t)cuda.pinned, 0) = 1;
    CUDA_OK(cuMemFreeHost(cuda.pinned));
    CUDA_OK(cuMemFree(cuda.managed));
    CUDA_OK(cuStreamDestroy(cuda.s));
    CUDA_ANSWERS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

static void give_back_when_told(void) {
    give_back_what_was_lost(true);
}

static void give_back_at_once(void) {
    give_back_what_was_lost(false);
}

START_TEST(who_was_told_that_a_device_is_lost_gives_back)
{
    sim_play_with("ADI_SIM_LOSE", "1");
    sim_goes_well(give_back_when_told, sim_ways());
    sim_is_named(give_back_at_once, "freed-in-use", 1);
}
END_TEST

/* ---- all of them ---- */

static const struct sim_pair pairs[] = {
    {freed_before_a_wait, "touched-before-wait"},
    {freed_behind_a_destroyed_stream, "touched-before-wait"},
    {made_for_a_blocking_stream, "touched-before-wait"},
    {told_by_a_function, "touched-before-wait"},
    {recorded_again, "race"},
    {ring, "touched-before-wait"},
    {until_there_is_a_time, "touched-before-wait"},
    {disjoint_halves, "race"},
    {columns, "race"},
    {many_readers, "race"},
    {freed_by_another_stream, "freed-in-use"},
    {freed_in_the_default_stream, "freed-in-use"},
    {by_way_of_the_default_stream, "race"},
    {an_event_of_the_default_stream, "touched-before-wait"},
    {by_another_thread, "touched-before-wait"},
    {chain_over_two_devices, "race"},
    {wait_for_a_context, "touched-before-wait"},
};

#define PAIRS (sizeof pairs / sizeof *pairs)

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], cuda_scene_begin, cuda_scene_end, SIM_AT_LEAST_ONCE); }
END_TEST

Suite *sim_cuda_orders_suite(void) {
    Suite *suite = suite_create("sim_cuda_orders");
    TCase *tests = tcase_create("orders");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0, (int)PAIRS);
    tcase_add_test(tests, what_others_do_wrong_meanwhile_does_not_end_who_touches);
    tcase_add_test(tests, who_was_told_that_a_device_is_lost_gives_back);
    suite_add_tcase(suite, tests);
    return suite;
}
