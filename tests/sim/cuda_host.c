/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions that make what is copied behind them, and those that wait for who makes it.
 */
#include <check.h>
#include <inttypes.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_host_suite(void);

static sem_t answered;

static void wait_for_the_answer(void *unused) {
    (void)unused;
    sem_wait(&answered);
}

static void nothing(void *unused) {
    (void)unused;
}

static void answer(void *unused) {
    (void)unused;
    sem_post(&answered);
}

/* Under every policy a wait that is forgotten gets no time; one by way of a host function is one.
 */
static void ask_for_times(void) {
    CUevent end;
    float ms = -1;
    cuda_scene_begin();
    sem_init(&answered, 0, 0);
    CUDA_OK(cuEventCreate(&end, 0));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuEventRecord(end, cuda.s));
    CUDA_ANSWERS(cuEventElapsedTime(&ms, cuda.e, end), CUDA_ERROR_NOT_READY);
    SIM_WANT(ms == -1);
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuEventRecord(end, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, answer, NULL));
    sem_wait(&answered);
    CUDA_OK(cuEventElapsedTime(&ms, cuda.e, end));
    SIM_WANT(ms >= 0);
    CUDA_OK(cuEventRecord(end, cuda.t));
    CUDA_OK(cuStreamSynchronize(cuda.t));
    CUDA_OK(cuEventElapsedTime(&ms, cuda.e, end));
    CUDA_OK(cuEventDestroy(end));
    cuda_scene_end();
}

START_TEST(a_time_is_had_by_who_has_waited)
{ sim_goes_well(ask_for_times, sim_ways()); }
END_TEST

static char registered[CUDA_BYTES];

static void make(void *data) {
    memset(data, *(char *)data + 1, CUDA_BYTES);
}

static void make_for_stream(CUstream stream, CUresult status, void *data) {
    SIM_WANT(stream == cuda.t && status == CUDA_SUCCESS);
    make(data);
}

static void is_filled_with(CUdeviceptr device, char wanted) {
    char out[CUDA_BYTES];
    CUDA_OK(cuMemcpyDtoH(out, device, sizeof out));
    SIM_WANT(out[0] == wanted && out[CUDA_BYTES - 1] == wanted);
}

/* The copy is queued behind the function, in its stream or behind an event, and comes when the
 * bytes are there; as does one that is waited for. */
static void copy_what_is_made(char *bytes) {
    cuda_scene_begin();
    if (bytes == NULL)
        bytes = cuda.pinned;
    else
        CUDA_OK(cuMemHostRegister(bytes, CUDA_BYTES, 0));
    memset(bytes, 1, CUDA_BYTES);
    CUDA_OK(cuLaunchHostFunc(cuda.s, make, bytes));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, bytes, CUDA_BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuStreamAddCallback(cuda.t, make_for_stream, bytes, 0));
    CUDA_OK(cuMemcpyAsync(cuda.b, (uintptr_t)bytes, CUDA_BYTES, cuda.t));
    CUDA_OK(cuStreamSynchronize(cuda.t));
    is_filled_with(cuda.a, 2);
    is_filled_with(cuda.b, 3);
    CUDA_OK(cuLaunchHostFunc(CU_STREAM_LEGACY, make, bytes));
    CUDA_OK(cuMemcpyHtoD(cuda.a, bytes, CUDA_BYTES));
    is_filled_with(cuda.a, 4);
    if (bytes == registered) CUDA_OK(cuMemHostUnregister(bytes));
    cuda_scene_end();
}

static void copy_what_is_made_in_pinned_memory(void) {
    copy_what_is_made(NULL);
}

static void copy_what_is_made_in_registered_memory(void) {
    copy_what_is_made(registered);
}

/* The order of the default stream with one that blocks counts, too. */
static void copy_behind_a_blocking_stream(void) {
    CUstream stream;
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&stream, 0));
    memset(cuda.pinned, 1, CUDA_BYTES);
    CUDA_OK(cuLaunchHostFunc(stream, make, cuda.pinned));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, CUDA_BYTES, NULL));
    CUDA_OK(cuStreamSynchronize(NULL));
    is_filled_with(cuda.a, 2);
    CUDA_OK(cuStreamDestroy(stream));
    cuda_scene_end();
}

/* The copy is in another stream, which waits by way of a third one. */
static void copy_behind_a_third_stream(void) {
    CUstream third;
    CUevent event;
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuEventCreate(&event, 0));
    memset(cuda.pinned, 1, CUDA_BYTES);
    CUDA_OK(cuLaunchHostFunc(cuda.s, make, cuda.pinned));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(third, cuda.e, 0));
    CUDA_OK(cuEventRecord(event, third));
    CUDA_OK(cuStreamWaitEvent(cuda.t, event, 0));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, CUDA_BYTES, cuda.t));
    CUDA_OK(cuStreamSynchronize(cuda.t));
    is_filled_with(cuda.a, 2);
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuStreamDestroy(third));
    cuda_scene_end();
}

/* Not before the copy is queued. */
static void make_when_told(void *data) {
    sem_wait(&answered);
    make(data);
}

/* It waits for nothing, for what was before the function, or for something else. */
static void make_what_is_copied_elsewhere(bool waits, CUstream of) {
    cuda_scene_begin();
    if (of == NULL) of = cuda.s;
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, 1, of));
    CUDA_OK(cuEventRecord(cuda.e, of));
    sem_init(&answered, 0, 0);
    CUDA_OK(cuLaunchHostFunc(cuda.s, make_when_told, cuda.pinned));
    if (waits) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, CUDA_BYTES, cuda.t));
    sem_post(&answered);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    cuda_scene_end();
}

static void without_a_wait(void) {
    make_what_is_copied_elsewhere(false, NULL);
}

static void behind_too_early_an_event(void) {
    make_what_is_copied_elsewhere(true, NULL);
}

static void behind_the_wrong_stream(void) {
    make_what_is_copied_elsewhere(true, CU_STREAM_PER_THREAD);
}

START_TEST(what_it_makes_too_late_is_named)
{
    static void (*const programs[])(void) = {without_a_wait, behind_too_early_an_event,
                                             behind_the_wrong_stream};
    sim_is_named(programs[_i], "touched-before-wait", 1);
}
END_TEST

START_TEST(what_a_host_function_makes_is_copied)
{
    sim_goes_well(copy_behind_a_blocking_stream, sim_ways());
    sim_goes_well(copy_behind_a_third_stream, sim_ways());
    sim_goes_well(copy_what_is_made_in_pinned_memory, sim_ways());
    sim_goes_well(copy_what_is_made_in_registered_memory, sim_ways());
}
END_TEST

/* What a thread makes for a copy behind a host function that waits for it, or does not. It makes it
 * before the stream is waited for: who does that waits in vain for what was not made. */
static void copy_what_a_thread_makes(void (*function)(void *), bool elsewhere) {
    size_t bytes = 3 * sim_page_bytes();
    void *pinned;
    cuda_scene_begin();
    CUDA_OK(cuMemAllocHost(&pinned, bytes));
    CUDA_OK(cuMemFree(cuda.a));
    CUDA_OK(cuMemAlloc(&cuda.a, bytes));
    memset(pinned, 1, bytes);
    sem_init(&answered, 0, 0);
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, CUDA_BYTES, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, nothing, NULL));
    CUDA_OK(cuLaunchHostFunc(cuda.s, function, NULL));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!elsewhere) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, pinned, bytes, cuda.t));
    memset(pinned, 2, bytes);
    sem_post(&answered);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.t));
    if (function != nothing && !elsewhere) is_filled_with(cuda.a, 2);
    CUDA_OK(cuMemFreeHost(pinned));
    cuda_scene_end();
}

static void copy_what_is_waited_for(void) {
    copy_what_a_thread_makes(wait_for_the_answer, false);
}

static void copy_what_nobody_waits_for(void) {
    copy_what_a_thread_makes(nothing, false);
}

static void copy_what_is_waited_for_elsewhere(void) {
    copy_what_a_thread_makes(wait_for_the_answer, true);
}

START_TEST(what_a_host_function_waits_for_is_copied)
{ sim_goes_well(copy_what_is_waited_for, sim_ways()); }
END_TEST

START_TEST(what_it_does_not_wait_for_is_named)
{
    static void (*const programs[])(void) = {copy_what_nobody_waits_for,
                                             copy_what_is_waited_for_elsewhere};
    /* Of three pages: on a busy machine an idle queue may get to the copy before the last one. */
    sim_is_named(programs[_i], "touched-before-wait", SIM_AT_LEAST_ONCE);
}
END_TEST

/* ---- who it was ---- */

static volatile char sink;

static void look(void *data) {
    sink = *(volatile char *)data;
}

static void let_a_function_look(void) {
    cuda_scene_begin();
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, CUDA_BYTES, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.t, look, cuda.pinned));
    cuda_scene_end();
}

static void let_a_node_look(void) {
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node;
    cuda_scene_begin();
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, CUDA_BYTES, cuda.s));
    CUDA_OK(cuGraphCreate(&graph, 0));
    const CUDA_HOST_NODE_PARAMS what = {look, cuda.pinned};
    CUDA_OK(cuGraphAddHostNode(&node, graph, NULL, 0, &what));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, cuda.t));
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(graph));
    cuda_scene_end();
}

static uint64_t number_behind(const char *log, const char *before) {
    const char *at = strstr(log, before);
    ck_assert_msg(at != NULL, "no %s in %s", before, log);
    return strtoull(at + strlen(before), NULL, 10);
}

/* The call that queued the function, and not the one that waits for it. */
static void expect_named(void (*program)(void), const char *in, const char *queued) {
    for (size_t i = 0; i < 2; i++) {
        char *log = sim_play(program, sim_way_at(i), 0), wanted[128];
        ck_assert_msg(sim_count_errors(log) == 1, "%s", log);
        const char *line = strstr(log, queued);
        ck_assert_msg(line != NULL, "%s", log);
        while (line > log && line[-1] != '\n') line--;
        snprintf(wanted, sizeof wanted, "\"call\":%" PRIu64 ",\"in\":\"%s\",\"phase\"",
                 number_behind(line, "\"call\":"), in);
        ck_assert_msg(sim_count_text(log, wanted) == 1, "no %s in %s", wanted, log);
        free(log);
    }
}

START_TEST(a_function_that_touches_is_named)
{
    expect_named(let_a_function_look, "a host function of cuLaunchHostFunc",
                 "\"in\":\"cuLaunchHostFunc\"");
    expect_named(let_a_node_look, "a host function of cuGraphLaunch", "\"in\":\"cuGraphLaunch\"");
}
END_TEST

/* Registered memory that is given back before the copy comes to it. */
static void give_it_back_too_early(void) {
    size_t page = sim_page_bytes();
    char *bytes = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SIM_WANT(bytes != MAP_FAILED);
    cuda_scene_begin();
    sem_init(&answered, 0, 0);
    CUDA_OK(cuMemHostRegister(bytes, page, 0));
    CUDA_OK(cuLaunchHostFunc(cuda.s, wait_for_the_answer, NULL));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, bytes, CUDA_BYTES, cuda.s));
    CUDA_OK(cuMemHostUnregister(bytes));
    /* As if it were unmapped, but nobody else's memory can come to lie there. */
    SIM_WANT(mprotect(bytes, page, PROT_NONE) == 0);
    sem_post(&answered);
    cuda_scene_end();
}

START_TEST(registered_memory_that_has_gone_is_named)
{
    for (size_t i = 0; i < sim_ways(); i++) {
        char *log = sim_play(give_it_back_too_early, sim_way_at(i), 0);
        ck_assert_msg(sim_count_errors(log) == 1, "%s", log);
        ck_assert_uint_eq(sim_count(log, "not-allocated"), 1);
        ck_assert_uint_eq(sim_count_text(log, "\"in\":\"cuMemcpyHtoDAsync_v2\",\"phase\""), 1);
        free(log);
    }
}
END_TEST

Suite *sim_cuda_host_suite(void) {
    Suite *suite = suite_create("sim_cuda_host");
    TCase *tests = tcase_create("host functions");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_time_is_had_by_who_has_waited);
    tcase_add_test(tests, what_a_host_function_makes_is_copied);
    tcase_add_test(tests, what_a_host_function_waits_for_is_copied);
    tcase_add_loop_test(tests, what_it_does_not_wait_for_is_named, 0, 2);
    tcase_add_loop_test(tests, what_it_makes_too_late_is_named, 0, 3);
    tcase_add_test(tests, a_function_that_touches_is_named);
    tcase_add_test(tests, registered_memory_that_has_gone_is_named);
    suite_add_tcase(suite, tests);
    return suite;
}
