/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated CUDA driver in processes that fork, that end in the middle, and that have threads.
 */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_processes_suite(void);

static const struct sim_way lazy = {"lazy", 1};

CUresult cuMemMap(void); /* one of those that are not served */

static void fork_after_the_start(void) {
    static CUuuid id;
    const void *table;
    int status, count;
    CUDA_ANSWERS(cuMemMap(), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    cuda_scene_begin();
    CUDA_ANSWERS(cuMemMap(), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
    pid_t child = fork();
    if (child == 0) {
        CUDA_ANSWERS(cuMemMap(), CUDA_ERROR_NOT_INITIALIZED);
        CUDA_ANSWERS(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_INITIALIZED);
        CUDA_ANSWERS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
        CUDA_ANSWERS(cuMemFree(cuda.a), CUDA_ERROR_NOT_INITIALIZED);
        CUDA_ANSWERS(cuInit(0), CUDA_ERROR_NOT_INITIALIZED);
        _exit(EXIT_SUCCESS);
    }
    SIM_WANT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    cuda_scene_end();
}

START_TEST(a_child_of_fork_has_no_driver)
{ sim_goes_well(fork_after_the_start, 1); }
END_TEST

static void nothing(void *unused) {
    (void)unused;
}

static void queue_work(void) {
    cuda_scene_begin();
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, CUDA_BYTES, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, nothing, NULL));
    CUDA_OK(cuMemsetD8Async_ptsz(cuda.b, 1, CUDA_BYTES, NULL));
}

static void be_killed(void) {
    queue_work();
    raise(SIGKILL);
}

START_TEST(a_program_may_end_with_work_in_flight)
{
    sim_goes_well(queue_work, 1);
    char *log = sim_play(be_killed, lazy, SIGKILL);
    ck_assert_uint_eq(sim_count_text(log, "\"command\":\"fill\""), 2);
    ck_assert_uint_eq(sim_count_text(log, "\"command\":\"host\""), 1);
    ck_assert_int_eq(log[strlen(log) - 1], '\n');
    free(log);
}
END_TEST

/* ---- threads ---- */

static void *work_and_end(void *unused) {
    (void)unused;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemsetD8Async_ptsz(cuda.a, 7, CUDA_BYTES, NULL));
    CUDA_OK(cuLaunchHostFunc_ptsz(NULL, nothing, NULL));
    return NULL;
}

/* What a thread leaves behind runs all the same. */
static void outlive_threads(void) {
    pthread_t threads[8];
    char byte;
    cuda_scene_begin();
    for (int i = 0; i < 8; i++) {
        SIM_WANT(pthread_create(&threads[i], NULL, work_and_end, NULL) == 0);
        SIM_WANT(pthread_join(threads[i], NULL) == 0);
        CUDA_OK(cuCtxSynchronize());
    }
    CUDA_OK(cuMemcpyDtoH(&byte, cuda.a, 1));
    SIM_WANT(byte == 7);
    cuda_scene_end();
}

START_TEST(threads_may_end_with_work_queued)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_goes_well(outlive_threads, 1);
}
END_TEST

/* Threads that share a context and a stream, and have streams and memory of their own. */
static void *work_beside_others(void *argument) {
    unsigned char mine = (unsigned char)(uintptr_t)argument, out[64];
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
    CUDA_OK(cuCtxPushCurrent(cuda.context));
    CUDA_OK(cuStreamCreate(&stream, mine % 2 ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(cuEventCreate(&event, 0));
    for (int i = 0; i < 20; i++) {
        CUDA_OK(i % 2 ? cuMemAlloc(&memory, 64) : cuMemAllocAsync(&memory, 64, stream));
        CUDA_OK(cuMemsetD8Async(memory, mine, 64, stream));
        CUDA_OK(cuLaunchHostFunc(stream, nothing, NULL));
        CUDA_OK(cuEventRecord(event, stream));
        CUDA_OK(cuStreamWaitEvent(cuda.s, event, 0));
        CUDA_OK(cuStreamWaitEvent_ptsz(NULL, event, 0));
        CUDA_OK(cuMemcpyDtoHAsync_v2_ptsz(out, memory, 64, NULL));
        SIM_WANT(out[0] == mine && out[63] == mine);
        CUDA_OK(i % 2 ? cuMemFree(memory) : cuMemFreeAsync(memory, CU_STREAM_PER_THREAD));
    }
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuStreamDestroy(stream));
    return NULL;
}

static void by_many_threads(void) {
    pthread_t threads[4];
    cuda_scene_begin();
    for (uintptr_t i = 0; i < 4; i++)
        SIM_WANT(pthread_create(&threads[i], NULL, work_beside_others, (void *)(i + 1)) == 0);
    for (int i = 0; i < 4; i++) SIM_WANT(pthread_join(threads[i], NULL) == 0);
    cuda_scene_end();
}

START_TEST(threads_work_beside_each_other)
{ sim_goes_well(by_many_threads, sim_ways()); }
END_TEST

Suite *sim_cuda_processes_suite(void) {
    Suite *suite = suite_create("sim_cuda_processes");
    TCase *tests = tcase_create("processes");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_child_of_fork_has_no_driver);
    tcase_add_test(tests, a_program_may_end_with_work_in_flight);
    tcase_add_test(tests, threads_may_end_with_work_queued);
    tcase_add_test(tests, threads_work_beside_each_other);
    suite_add_tcase(suite, tests);
    return suite;
}
