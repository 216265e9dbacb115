/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of the simulated CUDA driver that are captured into graphs.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_captures_suite(void);

#define BYTES CUDA_BYTES

enum {
    GLOBAL,
    OF_THREAD,
    RELAXED,
};

static CUevent other;

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuEventCreate(&other, 0));
}

static void end(void) {
    CUDA_OK(cuEventDestroy(other));
    cuda_scene_end();
}

static void order(CUevent event, CUstream second, CUstream first) {
    CUDA_OK(cuEventRecord(event, first));
    CUDA_OK(cuStreamWaitEvent(second, event, 0));
}

/* Ends the capture of the stream, and launches what came of it. */
static void launch(CUstream captured, CUstream stream) {
    CUgraph graph = NULL;
    CUgraphExec exec;
    CUDA_OK(cuStreamEndCapture(captured, &graph));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuGraphLaunch(exec, stream));
    CUDA_OK(cuGraphExecDestroy(exec));
}

static int status_of(CUstream stream) {
    int status = -1;
    CUDA_OK(cuStreamIsCapturing(stream, &status));
    return status;
}

/* ---- used rightly and wrongly ---- */

static void one_stream(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    SIM_WANT(status_of(cuda.s) == 1 && status_of(cuda.t) == 0);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.s));
    SIM_WANT(cuda.pinned[0] == (char)0xDE); /* nothing has been queued */
    launch(cuda.s, cuda.t);
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.t));
    SIM_WANT(*cuda_at((uintptr_t)cuda.pinned, 0) == 7 || wrong);
}

/* Two branches: the other stream comes in by an event and goes by one. */
static void fork_and_join(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, OF_THREAD));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    order(cuda.e, cuda.t, cuda.s);
    SIM_WANT(status_of(cuda.t) == 1);
    if (wrong) CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.t));
    order(other, cuda.s, cuda.t);
    if (!wrong) CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.s));
    launch(cuda.s, cuda.s);
    SIM_WANT(status_of(cuda.t) == 0);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(cuda.pinned[0] == 7 || wrong);
}

/* A stream may go once it has come back. */
static void destroyed_meanwhile(bool wrong) {
    CUstream third;
    CUgraph graph = NULL;
    size_t n;
    CUDA_OK(cuStreamCreate(&third, 0));
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    order(cuda.e, third, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, third));
    if (!wrong) order(other, cuda.s, third);
    CUDA_OK(cuStreamDestroy(third));
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph),
                 wrong ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED : CUDA_SUCCESS);
    CUDA_ANSWERS(cuGraphGetNodes(graph, NULL, &n), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void launched_behind_other_work(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.s));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.t)); /* is not captured */
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.t));
    launch(cuda.s, cuda.s);
}

static void write_pinned(void *data) {
    memset(data, 5, BYTES);
}

static void with_a_host_function(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuLaunchHostFunc(cuda.s, write_pinned, cuda.pinned));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, cuda.pinned, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.managed, cuda.a, BYTES, cuda.s));
    launch(cuda.s, cuda.s);
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(*cuda_at(cuda.managed, 0) == 5 || wrong);
}

/* An event of the graph's stands for its node wherever it is launched. */
static void with_an_event_for_others(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    if (wrong) CUDA_OK(cuEventRecordWithFlags(cuda.e, cuda.s, 1));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuEventRecordWithFlags(cuda.e, cuda.s, 1));
    launch(cuda.s, cuda.s);
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.t));
}

static void into_a_graph_of_ones_own(bool wrong) {
    const CUDA_MEMSET_NODE_PARAMS what = {
        .to = cuda.a, .value = 7, .element = 1, .width = BYTES, .height = 1};
    CUgraph graph, same;
    CUgraphNode first;
    CUgraphExec exec;
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphAddMemsetNode(&first, graph, NULL, 0, &what, cuda.context));
    CUDA_OK(cuStreamBeginCaptureToGraph(cuda.s, graph, wrong ? NULL : &first, NULL, wrong ? 0 : 1,
                                        GLOBAL));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, cuda.s));
    CUDA_OK(cuStreamEndCapture(cuda.s, &same));
    SIM_WANT(same == graph);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(graph));
}

static const struct sim_pair pairs[] = {
    {one_stream, "touched-before-wait"},  {fork_and_join, "race"},
    {destroyed_meanwhile, "bad-handle"},

    {launched_behind_other_work, "race"}, {with_a_host_function, "touched-before-wait"},
    {with_an_event_for_others, "race"},   {into_a_graph_of_ones_own, "race"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE); }
END_TEST

static void with_a_kernel(bool wrong) {
    static const char text[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; }\n";
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory = cuda.a;
    void *arguments[] = {&memory};
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuModuleGetFunction(&function, module, "one"));
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, cuda.s, arguments, NULL));
    launch(cuda.s, cuda.s);
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, wrong ? cuda.t : cuda.s));
    CUDA_OK(cuModuleUnload(module));
}

static const struct sim_pair opaque = {with_a_kernel, "launch-unordered"};

START_TEST(kernels_are_captured_where_they_are_opaque)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&opaque, begin, end, 1);
}
END_TEST

/* ---- what cannot be captured: the call says so, and the capture is over ---- */

static CUresult synchronize(void) {
    return cuStreamSynchronize(cuda.s);
}

static CUresult query(void) {
    return cuStreamQuery(cuda.s);
}

static CUresult synchronize_all(void) {
    return cuCtxSynchronize();
}

static CUresult allocate(void) {
    CUdeviceptr memory;
    return cuMemAlloc(&memory, BYTES);
}

static CUresult free_memory(void) {
    return cuMemFree(cuda.b);
}

static CUresult copy_synchronously(void) {
    return cuMemcpyDtoD(cuda.b, cuda.a, 8);
}

static CUresult wait_for_what_is_not_captured(void) {
    CUDA_OK(cuEventRecord(cuda.e, cuda.t));
    return cuStreamWaitEvent(cuda.s, cuda.e, 0);
}

static CUresult wait_for_a_captured_event(void) {
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    return cuEventSynchronize(cuda.e);
}

static CUresult query_a_captured_event(void) {
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    return cuEventQuery(cuda.e);
}

static CUresult call_back(void) {
    return cuStreamAddCallback(cuda.s, (CUstreamCallback)(void (*)(void))write_pinned, NULL, 0);
}

static const struct {
    CUresult (*play)(void);
    CUresult answer;
} refusals[] = {
    {synchronize, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {query, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {synchronize_all, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {allocate, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {free_memory, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {copy_synchronously, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
    {wait_for_what_is_not_captured, CUDA_ERROR_STREAM_CAPTURE_ISOLATION},
    {wait_for_a_captured_event, CUDA_ERROR_CAPTURED_EVENT},
    {query_a_captured_event, CUDA_ERROR_CAPTURED_EVENT},
    {call_back, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
};

static int playing;

static void refuse(void) {
    CUgraph graph;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_ANSWERS(refusals[playing].play(), refusals[playing].answer);
    SIM_WANT(status_of(cuda.s) == 2);
    CUDA_ANSWERS(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    SIM_WANT(graph == NULL && status_of(cuda.s) == 0);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    end();
}

START_TEST(what_cannot_be_captured_ends_the_capture)
{
    playing = _i;
    sim_goes_well(refuse, 1);
}
END_TEST

static void leave_unjoined(void) {
    CUgraph graph;
    begin();
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    order(cuda.e, cuda.t, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.t));
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    SIM_WANT(graph == NULL && status_of(cuda.t) == 0);
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, GLOBAL));
    order(cuda.e, cuda.t, cuda.s);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.t, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED));
    CUDA_OK(cuStreamBeginCapture_v2(cuda.t, RELAXED));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_ANSWERS(cuStreamWaitEvent(cuda.t, cuda.e, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_ANSWERS(cuStreamEndCapture(cuda.t, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    end();
}

START_TEST(streams_that_joined_come_back)
{ sim_goes_well(leave_unjoined, 1); }
END_TEST

static CUresult of_thread;

static void *allocate_elsewhere(void *mode) {
    CUdeviceptr memory;
    CUgraph graph;
    int own = *(int *)mode;
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    if (own >= 0) CUDA_OK(cuThreadExchangeStreamCaptureMode(&own));
    of_thread = own >= 0 ? cuMemAlloc(&memory, BYTES) : cuStreamEndCapture(cuda.s, &graph);
    if (of_thread == CUDA_SUCCESS) CUDA_OK(cuMemFree(memory));
    return NULL;
}

static CUresult elsewhere(int mode) {
    pthread_t thread;
    SIM_WANT(pthread_create(&thread, NULL, allocate_elsewhere, &mode) == 0);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    return of_thread;
}

static void call_from_threads(void) {
    static const struct {
        int mode, of_thread;
        CUresult answer;
    } rows[] = {
        {GLOBAL, GLOBAL, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
        {GLOBAL, OF_THREAD, CUDA_SUCCESS},
        {GLOBAL, RELAXED, CUDA_SUCCESS},
        {OF_THREAD, GLOBAL, CUDA_SUCCESS},
        {RELAXED, GLOBAL, CUDA_SUCCESS},
        {GLOBAL, -1, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD},
    };
    CUgraph graph;
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUDA_OK(cuStreamBeginCapture_v2(cuda.s, rows[i].mode));
        CUDA_ANSWERS(elsewhere(rows[i].of_thread), rows[i].answer);
        CUresult ended = cuStreamEndCapture(cuda.s, &graph);
        CUDA_ANSWERS(ended, rows[i].answer == CUDA_SUCCESS ? CUDA_SUCCESS
                                                           : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        if (ended == CUDA_SUCCESS) CUDA_OK(cuGraphDestroy(graph));
    }
    end();
}

START_TEST(modes_say_what_other_threads_may_do)
{ sim_goes_well(call_from_threads, 1); }
END_TEST

/* A blocking stream is ordered with the legacy one, which cannot be captured. */
static void beside_the_legacy_stream(void) {
    CUstream blocking;
    CUgraph graph;
    int status;
    begin();
    CUDA_ANSWERS(cuStreamBeginCapture_v2(NULL, GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUDA_OK(cuStreamCreate(&blocking, 0));
    CUDA_OK(cuStreamBeginCapture_v2(blocking, RELAXED));
    CUDA_ANSWERS(cuStreamIsCapturing(NULL, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CUDA_ANSWERS(cuMemsetD8Async(cuda.a, 7, BYTES, NULL), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CUDA_ANSWERS(cuStreamEndCapture(blocking, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, RELAXED)); /* which does not block */
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, NULL));
    CUDA_OK(cuStreamEndCapture(cuda.s, &graph));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuStreamBeginCapture_v2(blocking, RELAXED));
    CUDA_OK(cuStreamDestroy(blocking)); /* and its capture with it */
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, NULL));
    end();
}

static void end_with_the_context(void) {
    CUcontext context;
    CUstream stream;
    CUdeviceptr memory;
    begin();
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuStreamBeginCapture_v2(stream, GLOBAL));
    CUDA_ANSWERS(cuMemAlloc(&memory, BYTES), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUDA_OK(cuCtxDestroy(context));
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    CUDA_OK(cuMemFree(memory));
    end();
}

START_TEST(captures_end_with_their_context)
{ sim_goes_well(end_with_the_context, 1); }
END_TEST

START_TEST(the_legacy_stream_is_not_captured)
{ sim_goes_well(beside_the_legacy_stream, 1); }
END_TEST

static void ask(void) {
    const CUgraphNode *after;
    const CUgraphEdgeData *edges = (void *)1;
    unsigned long long id, same;
    CUgraph graph, made;
    CUgraphNode first, nodes[2];
    size_t n;
    int status;
    begin();
    CUDA_OK(cuStreamGetCaptureInfo_v3(cuda.s, &status, &id, &graph, &after, &edges, &n));
    SIM_WANT(status == 0);
    CUDA_OK(cuStreamBeginCapture(cuda.s));
    CUDA_ANSWERS(cuStreamBeginCapture(cuda.s), CUDA_ERROR_ILLEGAL_STATE);
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.s));
    CUDA_OK(cuStreamGetCaptureInfo(cuda.s, &status, &id));
    CUDA_OK(cuStreamGetCaptureInfo_v3(cuda.s, &status, &same, &graph, &after, &edges, &n));
    SIM_WANT(status == 1 && id == same && n == 1 && edges == NULL);
    first = after[0];
    CUDA_OK(cuStreamUpdateCaptureDependencies(cuda.s, NULL, 0, 1));
    CUDA_OK(cuMemsetD8Async(cuda.b, 7, BYTES, cuda.s));
    CUDA_OK(cuStreamUpdateCaptureDependencies_v2(cuda.s, &first, NULL, 1, 0));
    CUDA_OK(cuStreamGetCaptureInfo_v2(cuda.s, &status, &id, &graph, &after, &n));
    SIM_WANT(n == 2 && after[1] == first);
    CUDA_ANSWERS(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuStreamEndCapture(cuda.s, &made));
    CUDA_ANSWERS(cuStreamEndCapture(cuda.s, &graph), CUDA_ERROR_ILLEGAL_STATE);
    n = 2;
    CUDA_OK(cuGraphGetRootNodes(made, nodes, &n));
    SIM_WANT(n == 2);
    CUDA_OK(cuGraphDestroy(made));
    end();
}

START_TEST(a_capture_can_be_asked_for)
{ sim_goes_well(ask, 1); }
END_TEST

Suite *sim_cuda_captures_suite(void) {
    Suite *suite = suite_create("sim_cuda_captures");
    TCase *tests = tcase_create("captures");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, kernels_are_captured_where_they_are_opaque);
    tcase_add_loop_test(tests, what_cannot_be_captured_ends_the_capture, 0,
                        (int)(sizeof refusals / sizeof *refusals));
    tcase_add_test(tests, streams_that_joined_come_back);
    tcase_add_test(tests, modes_say_what_other_threads_may_do);
    tcase_add_test(tests, captures_end_with_their_context);
    tcase_add_test(tests, the_legacy_stream_is_not_captured);
    tcase_add_test(tests, a_capture_can_be_asked_for);
    suite_add_tcase(suite, tests);
    return suite;
}
