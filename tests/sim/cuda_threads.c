/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens in one thread while another is in the middle of a call of the driver.
 */
#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/cuda_scene.h"
#include "slow.h"

Suite *sim_cuda_threads_suite(void);

static const struct sim_way lazy = {"lazy", 1};

static sem_t answered;

static void wait_for_the_answer(void *unused) {
    (void)unused;
    sem_wait(&answered);
}

/* ---- a primary context that is reset ---- */

/* The name of a context that was made once is its handle in the engine. */
static void until_it_has_ended(CUcontext context) {
    while (adi_sim_is_live(context, NULL)) sched_yield();
}

static CUdeviceptr made_meanwhile;

/* The other thread is in the reset, and waits for the stream. */
static void *use_it_meanwhile(void *unused) {
    CUcontext same;
    CUdevice device;
    (void)unused;
    until_it_has_ended(cuda.context);
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuCtxGetDevice(&device));
    CUDA_OK(cuDevicePrimaryCtxRetain(&same, 0));
    SIM_WANT(same == cuda.context);
    CUDA_OK(cuMemAlloc(&made_meanwhile, 64));
    CUDA_OK(cuMemsetD8(made_meanwhile, 5, 64));
    sem_post(&answered);
    return NULL;
}

static void use_it_while_it_is_reset(void) {
    pthread_t other;
    CUcontext of;
    char byte;
    cuda_scene_begin();
    sem_init(&answered, 0, 0);
    CUDA_OK(cuLaunchHostFunc(cuda.s, wait_for_the_answer, NULL));
    SIM_WANT(pthread_create(&other, NULL, use_it_meanwhile, NULL) == 0);
    CUDA_OK(cuDevicePrimaryCtxReset(0));
    SIM_WANT(pthread_join(other, NULL) == 0);
    CUDA_OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, made_meanwhile));
    SIM_WANT(of == cuda.context);
    CUDA_OK(cuMemcpyDtoH(&byte, made_meanwhile, 1));
    SIM_WANT(byte == 5);
    CUDA_OK(cuMemFree(made_meanwhile));
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    CUDA_ANSWERS(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

START_TEST(a_context_is_there_while_it_is_reset)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_is_named(use_it_while_it_is_reset, "leak", 7); /* what the scene had made */
}
END_TEST

/* Whoever has retained it finds it alive, whatever the others do. */
static void *retain_and_reset(void *argument) {
    CUcontext context;
    CUdevice device;
    unsigned flags;
    for (int i = 0; i < 100; i++) {
        CUDA_OK(cuDevicePrimaryCtxRetain(&context, 0));
        CUDA_OK(cuCtxSetCurrent(context));
        CUDA_OK(cuCtxGetDevice(&device));
        if ((uintptr_t)argument % 2 == 0) CUDA_OK(cuDevicePrimaryCtxReset(0));
        CUDA_OK(cuCtxGetFlags(&flags));
        CUDA_OK(cuDevicePrimaryCtxRelease(0));
    }
    return NULL;
}

static void retain_and_reset_at_once(void) {
    pthread_t threads[4];
    unsigned flags;
    int active;
    CUDA_OK(cuInit(0));
    for (uintptr_t i = 0; i < 4; i++)
        SIM_WANT(pthread_create(&threads[i], NULL, retain_and_reset, (void *)i) == 0);
    for (int i = 0; i < 4; i++) SIM_WANT(pthread_join(threads[i], NULL) == 0);
    CUDA_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    SIM_WANT(active == 0);
    SIM_WANT(adi_sim_live(0) == 0);
}

START_TEST(who_has_retained_it_finds_it_alive)
{ sim_goes_well(retain_and_reset_at_once, sim_ways()); }
END_TEST

/* ---- threads that are cancelled ---- */

static sem_t begun;

static void wait_in_a_host_function(void *unused) {
    sem_post(&begun);
    wait_for_the_answer(unused);
}

static void *wait_for_the_stream(void *unused) {
    (void)unused;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    cuStreamSynchronize(cuda.s);
    return NULL;
}

/* In the middle of a call, which it ends: the driver is there for all others. */
static void cancel_who_waits(void) {
    pthread_t other;
    cuda_scene_begin();
    sem_init(&answered, 0, 0);
    sem_init(&begun, 0, 0);
    CUDA_OK(cuLaunchHostFunc(cuda.s, wait_in_a_host_function, NULL));
    SIM_WANT(pthread_create(&other, NULL, wait_for_the_stream, NULL) == 0);
    sem_wait(&begun);
    usleep(50000);
    SIM_WANT(pthread_cancel(other) == 0);
    usleep(20000);
    CUDA_OK(cuMemsetD8(cuda.a, 1, CUDA_BYTES));
    sem_post(&answered);
    SIM_WANT(pthread_join(other, NULL) == 0);
    cuda_scene_end();
}

START_TEST(a_thread_that_is_cancelled_ends_its_call)
{ sim_goes_well(cancel_who_waits, sim_ways()); }
END_TEST

/* What its stream is told to wait for meanwhile is not what a thread has waited for. */
static void queue_a_wait_behind_who_waits(void) {
    pthread_t other;
    CUstream third;
    cuda_scene_begin();
    sem_init(&answered, 0, 0);
    sem_init(&begun, 0, 0);
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuLaunchHostFunc(cuda.s, wait_in_a_host_function, NULL));
    SIM_WANT(pthread_create(&other, NULL, wait_for_the_stream, NULL) == 0);
    sem_wait(&begun);
    usleep(50000);
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, CUDA_BYTES, cuda.t));
    CUDA_OK(cuEventRecord(cuda.e, cuda.t));
    CUDA_OK(cuStreamWaitEvent(cuda.s, cuda.e, 0));
    sem_post(&answered);
    SIM_WANT(pthread_join(other, NULL) == 0);
    CUDA_OK(cuMemsetD8Async(cuda.b, 2, CUDA_BYTES, third));
    CUDA_OK(cuStreamSynchronize(third));
    CUDA_OK(cuStreamDestroy(third));
    cuda_scene_end();
}

START_TEST(who_waits_has_waited_for_what_was_there)
{
    char *log = sim_play(queue_a_wait_behind_who_waits, lazy, 0);
    ck_assert_msg(sim_count(log, "race") == 1 && sim_count_errors(log) == 1, "%s", log);
    free(log);
}
END_TEST

/* ---- the engine's own thread ---- */

static void nothing(void *unused) {
    (void)unused;
}

static size_t threads(void) {
    size_t n = 0;
    DIR *tasks = opendir("/proc/self/task");
    SIM_WANT(tasks != NULL);
    for (const struct dirent *at; (at = readdir(tasks)) != NULL;) n += at->d_name[0] != '.';
    closedir(tasks);
    return n;
}

/* It would keep a program from its end whose own threads have all ended. It comes back. */
static void let_it_rest(void) {
    cuda_scene_begin();
    for (int i = 0; i < 2; i++) {
        CUDA_OK(cuLaunchHostFunc(cuda.s, nothing, NULL));
        CUDA_OK(cuStreamSynchronize(cuda.s));
        while (threads() > 1) usleep(1000);
    }
    cuda_scene_end();
}

START_TEST(the_engine_has_no_thread_without_work)
{ sim_goes_well(let_it_rest, sim_ways()); }
END_TEST

/* ---- what a call costs those who wait ---- */

#define MOST_LOCKS 3

static void want_few_locks(CUresult code, uint64_t before, const char *call, int line) {
    char text[160];
    uint64_t n = adi_sim_locks() - before;
    snprintf(text, sizeof text, "%s: %d, with %u locks", call, (int)code, (unsigned)n);
    sim_want(code == CUDA_SUCCESS && n > 0 && n <= MOST_LOCKS, text, __FILE__, line);
}

#define FEW_LOCKS(call)                                                                            \
    do {                                                                                           \
        uint64_t before = adi_sim_locks();                                                         \
        CUresult code = call;                                                                      \
        want_few_locks(code, before, #call, __LINE__);                                             \
    } while (0)

/* In the order of a program: none of them waits for a host function, which takes one more. */
static void call_one_by_one(void) {
    char host[9] = {0};
    CUdeviceptr memory, start;
    CUstream stream;
    CUevent event;
    CUcontext context;
    CUdevice device;
    void *pinned;
    size_t bytes;
    int type;
    cuda_scene_begin();
    FEW_LOCKS(cuCtxGetCurrent(&context));
    FEW_LOCKS(cuCtxSetCurrent(context));
    FEW_LOCKS(cuCtxPushCurrent(context));
    FEW_LOCKS(cuCtxPopCurrent(&context));
    FEW_LOCKS(cuCtxGetDevice(&device));
    FEW_LOCKS(cuDevicePrimaryCtxRetain(&context, 0));
    FEW_LOCKS(cuDevicePrimaryCtxRelease(0));
    FEW_LOCKS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    FEW_LOCKS(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    FEW_LOCKS(cuMemAlloc(&memory, 64));
    FEW_LOCKS(cuMemAllocHost(&pinned, 64));
    FEW_LOCKS(cuMemcpyHtoDAsync(memory, host, sizeof host, stream));
    FEW_LOCKS(cuEventRecord(event, stream));
    FEW_LOCKS(cuStreamWaitEvent(cuda.s, event, 0));
    FEW_LOCKS(cuMemcpyDtoDAsync(cuda.a, memory, sizeof host, cuda.s));
    FEW_LOCKS(cuMemcpyDtoHAsync(pinned, cuda.a, sizeof host, cuda.s));
    FEW_LOCKS(cuStreamSynchronize(cuda.s));
    FEW_LOCKS(cuMemcpyAsync(memory, (uintptr_t)host, sizeof host, stream));
    FEW_LOCKS(cuMemsetD8Async(memory, 0, 64, stream));
    FEW_LOCKS(cuStreamSynchronize(stream));
    FEW_LOCKS(cuStreamSynchronize(NULL));
    FEW_LOCKS(cuStreamQuery(stream));
    FEW_LOCKS(cuEventQuery(event));
    FEW_LOCKS(cuEventSynchronize(event));
    FEW_LOCKS(cuMemcpyHtoD(memory, host, sizeof host));
    FEW_LOCKS(cuMemcpyDtoD(cuda.b, memory, sizeof host));
    FEW_LOCKS(cuMemcpyDtoH(host, memory, sizeof host));
    FEW_LOCKS(cuMemcpy((uintptr_t)host, memory, sizeof host));
    FEW_LOCKS(cuMemcpyPeer(memory, cuda.context, cuda.a, cuda.context, sizeof host));
    FEW_LOCKS(cuMemsetD32(memory, 0, 16));
    FEW_LOCKS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    FEW_LOCKS(cuMemGetAddressRange(&start, &bytes, memory));
    FEW_LOCKS(cuMemHostRegister(host, sizeof host, 0));
    FEW_LOCKS(cuMemHostUnregister(host));
    FEW_LOCKS(cuMemFreeHost(pinned));
    FEW_LOCKS(cuMemFree(memory));
    FEW_LOCKS(cuMemAllocAsync(&memory, 64, stream));
    FEW_LOCKS(cuMemFreeAsync(memory, stream));
    FEW_LOCKS(cuCtxSynchronize());
    FEW_LOCKS(cuEventDestroy(event));
    FEW_LOCKS(cuStreamDestroy(stream));
    cuda_scene_end();
}

START_TEST(a_call_takes_the_lock_few_times)
{ sim_goes_well(call_one_by_one, sim_ways()); }
END_TEST

/* ---- a fault in the midst of a call that a handler of the program's takes it out of ---- */

static sigjmp_buf out_of_it;

static void leave(int number) {
    (void)number;
    siglongjmp(out_of_it, 1);
}

static void *call_meanwhile(void *unused) {
    (void)unused;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemsetD8(cuda.a, 1, CUDA_BYTES));
    CUDA_OK(cuCtxSynchronize());
    return NULL;
}

/* Nobody else stands still for it. */
static void leave_a_call(void) {
    pthread_t other;
    signal(SIGSEGV, leave);
    cuda_scene_begin();
    CUdeviceptr *nowhere =
        mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    SIM_WANT(nowhere != MAP_FAILED);
    if (sigsetjmp(out_of_it, 1) == 0) {
        cuMemAlloc(nowhere, 64);
        SIM_WANT(false);
    }
    SIM_WANT(pthread_create(&other, NULL, call_meanwhile, NULL) == 0);
    SIM_WANT(pthread_join(other, NULL) == 0);
    cuda_scene_end();
}

START_TEST(who_leaves_a_call_leaves_the_driver_to_the_others)
{ free(sim_play(leave_a_call, lazy, 0)); }
END_TEST

/* ---- results that go where the CPU may not touch yet ---- */

/* Each is written in the midst of a call, which goes on. */
static void hand_out_into_what_is_pending(void) {
    cuda_scene_begin();
    void *const at = cuda.pinned;
    CUDA_OK(cuMemsetD8Async((uintptr_t)cuda.pinned, 1, CUDA_BYTES, cuda.s));
    CUDA_OK(cuMemAlloc(at, 64));
    CUdeviceptr made = *(CUdeviceptr *)at;
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemFree(made));
    CUDA_OK(cuMemsetD8Async((uintptr_t)cuda.pinned, 1, CUDA_BYTES, cuda.s));
    CUDA_OK(cuDevicePrimaryCtxRetain(at, 0));
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    cuda_scene_end();
}

START_TEST(a_result_that_is_written_too_early_is_named)
{
    char *log = sim_play(hand_out_into_what_is_pending, lazy, 0);
    ck_assert_msg(sim_count(log, "touched-before-wait") == 2 && sim_count_errors(log) == 2, "%s",
                  log);
    free(log);
}
END_TEST

Suite *sim_cuda_threads_suite(void) {
    Suite *suite = suite_create("sim_cuda_threads");
    TCase *tests = tcase_create("threads");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_context_is_there_while_it_is_reset);
    tcase_add_test(tests, who_has_retained_it_finds_it_alive);
    tcase_add_test(tests, a_thread_that_is_cancelled_ends_its_call);
    tcase_add_test(tests, who_waits_has_waited_for_what_was_there);
    if (IS_THREAD_SANITIZED)
        puts("left out: the_engine_has_no_thread_without_work: the sanitizer has threads, too");
    else
        tcase_add_test(tests, the_engine_has_no_thread_without_work);
    tcase_add_test(tests, a_call_takes_the_lock_few_times);
    tcase_add_test(tests, who_leaves_a_call_leaves_the_driver_to_the_others);
    tcase_add_test(tests, a_result_that_is_written_too_early_is_named);
    suite_add_tcase(suite, tests);
    return suite;
}
