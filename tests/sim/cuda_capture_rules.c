/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures of the simulated CUDA driver: which stream, event and graph has part in one, and what
 * remains of one that went wrong.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_capture_rules_suite(void);

#define BYTES CUDA_BYTES

enum {
    GLOBAL,
    OF_THREAD,
    RELAXED,
};

static CUstream third; /* blocking */

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&third, 0));
}

static void end(void) {
    CUDA_OK(cuStreamDestroy(third));
    cuda_scene_end();
}

static void order(CUstream second, CUstream first) {
    CUDA_OK(cuEventRecord(cuda.e, first));
    CUDA_OK(cuStreamWaitEvent(second, cuda.e, 0));
}

static int status_of(CUstream stream) {
    int status = -1;
    CUDA_OK(cuStreamIsCapturing(stream, &status));
    return status;
}

static void drop(CUstream stream) {
    CUgraph graph;
    CUDA_OK(cuStreamEndCapture(stream, &graph));
    CUDA_OK(cuGraphDestroy(graph));
}

static void launch(CUstream captured) {
    CUgraph graph;
    CUgraphExec exec;
    CUDA_OK(cuStreamEndCapture(captured, &graph));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuGraphLaunch(exec, captured));
    CUDA_OK(cuGraphExecDestroy(exec));
}

static CUgraph graph_of(CUstream stream) {
    unsigned long long id;
    CUgraph graph;
    int status;
    CUDA_OK(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, NULL, NULL));
    SIM_WANT(status == 1);
    return graph;
}

/* ---- used rightly and wrongly ---- */

/* An event stands for where it was recorded last. */
static void recorded_again(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    order(cuda.t, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemsetD8Async(cuda.b, 7, BYTES, cuda.t));
    order(third, wrong ? cuda.t : cuda.s);
    CUDA_OK(cuMemcpyDtoDAsync(cuda.managed, cuda.a, BYTES, third));
    order(cuda.s, third);
    order(cuda.s, cuda.t);
    launch(cuda.s);
}

/* One that was recorded outside is waited for at each launch, if that is said. */
static void behind_an_event_of_others(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.t));
    CUDA_OK(cuEventRecord(cuda.e, cuda.t));
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    if (!wrong) CUDA_OK(cuStreamWaitEvent(cuda.s, cuda.e, 1));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.s));
    launch(cuda.s);
}

/* Of a capture that went wrong nothing is left. */
static void the_graph_of_a_failed_one(bool wrong) {
    CUgraph graph, made;
    size_t n;
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    graph = graph_of(cuda.s);
    if (wrong) CUDA_ANSWERS(cuStreamQuery(cuda.s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &made),
                 wrong ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS);
    CUDA_ANSWERS(cuGraphGetNodes(graph, NULL, &n), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void behind_a_node_that_went(bool wrong) {
    CUgraph graph;
    CUgraphNode nodes[1];
    size_t n = 1;
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuGraphGetNodes(graph_of(cuda.s), nodes, &n));
    if (wrong) CUDA_OK(cuGraphDestroyNode(nodes[0]));
    CUDA_ANSWERS(cuMemsetD8Async(cuda.a, 8, BYTES, cuda.s),
                 wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    SIM_WANT(status_of(cuda.s) == (wrong ? 2 : 1));
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph),
                 wrong ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void a_stream_as_dependency(bool wrong) {
    CUgraphNode node = (CUgraphNode)(void *)cuda.s;
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_ANSWERS(cuStreamUpdateCaptureDependencies(cuda.s, &node, wrong ? 1 : 0, 1),
                 wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    drop(cuda.s);
}

static const struct sim_pair pairs[] = {
    {recorded_again, "race"},
    {behind_an_event_of_others, "race"},
    {the_graph_of_a_failed_one, "use-after-destroy"},
    {behind_a_node_that_went, "use-after-destroy"},
    {a_stream_as_dependency, "bad-handle"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE); }
END_TEST

/* ---- what is refused ---- */

static void refuse(void) {
    CUgraph graph, other;
    CUgraphNode node;
    CUgraphExec exec;
    begin();
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphCreate(&other, 0));
    CUDA_OK(cuGraphAddEmptyNode(&node, other, NULL, 0));
    CUDA_ANSWERS(cuStreamBeginCaptureToGraph(cuda.s, graph, &node, NULL, 1, GLOBAL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, other, 0));
    CUDA_OK(cuStreamBeginCaptureToGraph(cuda.s, graph, NULL, NULL, 0, GLOBAL));
    CUDA_ANSWERS(cuStreamBeginCaptureToGraph(cuda.t, graph, NULL, NULL, 0, GLOBAL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuStreamUpdateCaptureDependencies(cuda.s, NULL, 0, 2), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphLaunch(exec, cuda.s), CUDA_ERROR_NOT_SUPPORTED); /* a child graph */
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_ANSWERS(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(status_of(cuda.s) == 1);
    CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_OK(cuGraphDestroy(other));
    end();
}

START_TEST(what_no_capture_can_have_is_refused)
{ sim_goes_well(refuse, 1); }
END_TEST

/* A graph of the program's own stays its own, whatever becomes of the capture. */
static void keep_ones_own(void) {
    CUgraph graph, made;
    CUgraphExec exec;
    begin();
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuStreamBeginCaptureToGraph(cuda.s, graph, NULL, NULL, 0, GLOBAL));
    CUDA_ANSWERS(cuStreamQuery(cuda.s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &made), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(graph));
    end();
}

START_TEST(a_graph_of_ones_own_stays)
{ sim_goes_well(keep_ones_own, 1); }
END_TEST

static void wait_for_events_of_captures(void) {
    CUgraph graph;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_ANSWERS(cuStreamWaitEvent(NULL, cuda.e, 0), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CUDA_ANSWERS(cuStreamWaitEvent(cuda.t, cuda.e, 0), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    SIM_WANT(status_of(cuda.t) == 0);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_ANSWERS(cuStreamWaitEvent(NULL, cuda.e, 0), CUDA_ERROR_CAPTURED_EVENT);
    CUDA_ANSWERS(cuStreamWaitEvent(cuda.t, cuda.e, 0), CUDA_ERROR_CAPTURED_EVENT);
    end();
}

START_TEST(events_are_of_their_capture)
{ sim_goes_well(wait_for_events_of_captures, 1); }
END_TEST

/* ---- what is not ---- */

static void capture_side_by_side(void) {
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    CUDA_OK(cuStreamBeginCapture_v2(cuda.t, RELAXED));
    CUDA_OK(cuMemsetD8Async(cuda.b, 7, BYTES, cuda.t));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuStreamUpdateCaptureDependencies(cuda.s, NULL, 0, 1)); /* nothing is behind it */
    CUDA_OK(cuMemsetD8Async(cuda.managed, 7, BYTES, cuda.s));
    drop(cuda.s);
    SIM_WANT(status_of(cuda.t) == 1);
    drop(cuda.t);
    end();
}

START_TEST(captures_are_apart_from_each_other)
{ sim_goes_well(capture_side_by_side, 1); }
END_TEST

/* The legacy stream of a context is ordered with blocking streams of the same one, that are there.
 */
static void use_other_legacy_streams(void) {
    CUcontext context;
    CUdeviceptr memory;
    CUgraph graph;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(third, RELAXED));
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    SIM_WANT(status_of(NULL) == 0);
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    CUDA_OK(cuMemsetD8Async(memory, 7, BYTES, NULL));
    CUDA_OK(cuCtxDestroy(context));
    drop(third);
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    order(third, cuda.s);
    order(cuda.s, third);
    CUDA_OK(cuStreamDestroy(third));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, NULL));
    CUDA_OK(cuStreamEndCapture(cuda.s, &graph));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuStreamCreate(&third, 0));
    end();
}

START_TEST(other_legacy_streams_have_no_part)
{ sim_goes_well(use_other_legacy_streams, 1); }
END_TEST

static void *end_it(void *unused) {
    (void)unused;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    drop(cuda.s);
    return NULL;
}

static void end_elsewhere(void) {
    pthread_t thread;
    CUdeviceptr memory;
    int mode = OF_THREAD;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    SIM_WANT(pthread_create(&thread, NULL, end_it, NULL) == 0);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    SIM_WANT(status_of(cuda.s) == 0);
    CUDA_OK(cuThreadExchangeStreamCaptureMode(&mode));
    SIM_WANT(mode == GLOBAL);
    mode = RELAXED;
    CUDA_OK(cuThreadExchangeStreamCaptureMode(&mode));
    SIM_WANT(mode == OF_THREAD);
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuMemAlloc(&memory, BYTES)); /* the thread may, whatever it captures */
    drop(cuda.s);
    CUDA_OK(cuMemFree(memory));
    end();
}

START_TEST(a_relaxed_one_ends_on_any_thread)
{ sim_goes_well(end_elsewhere, 1); }
END_TEST

/* Waited for twice it is one edge; a copy of nothing does nothing. */
static void capture_little(void) {
    const CUgraphNode *after;
    unsigned long long id;
    CUgraph graph;
    size_t n;
    int status, type;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, 0, cuda.s)); /* behind it alone */
    order(cuda.t, cuda.s);
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuStreamGetCaptureInfo_v2(cuda.t, &status, &id, &graph, &after, &n));
    SIM_WANT(n == 1);
    CUDA_OK(cuGraphNodeGetType(after[0], &type));
    SIM_WANT(type == CU_GRAPH_NODE_TYPE_EMPTY);
    drop(cuda.s);
    end();
}

START_TEST(nothing_and_twice_are_little)
{ sim_goes_well(capture_little, 1); }
END_TEST

Suite *sim_cuda_capture_rules_suite(void) {
    Suite *suite = suite_create("sim_cuda_capture_rules");
    TCase *tests = tcase_create("rules");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, what_no_capture_can_have_is_refused);
    tcase_add_test(tests, a_graph_of_ones_own_stays);
    tcase_add_test(tests, events_are_of_their_capture);
    tcase_add_test(tests, captures_are_apart_from_each_other);
    tcase_add_test(tests, other_legacy_streams_have_no_part);
    tcase_add_test(tests, a_relaxed_one_ends_on_any_thread);
    tcase_add_test(tests, nothing_and_twice_are_little);
    suite_add_tcase(suite, tests);
    return suite;
}
