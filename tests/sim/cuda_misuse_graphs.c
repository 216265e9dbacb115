/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_misuse_internal.h"

static CUgraph begin_with_graph(void) {
    CUgraph made = NULL;
    cuda_misuse_begin();
    MUST(cu.cuGraphCreate(&made, 0));
    return made;
}

CUresult graph_with_flags(void) {
    CUgraph graph;
    cuda_misuse_begin();
    return cu.cuGraphCreate(&graph, 1);
}

CUresult fill_of_odd_elements_in_a_graph(void) {
    CUDA_MEMSET_NODE_PARAMS fill = {.element = 3, .width = 1, .height = 1};
    CUgraph graph = begin_with_graph();
    CUgraphNode node;
    fill.to = on.memory;
    return cu.cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, on.context);
}

CUresult an_edge_twice(void) {
    CUgraph graph = begin_with_graph();
    CUgraphNode first, then;
    MUST(cu.cuGraphAddEmptyNode(&first, graph, NULL, 0));
    MUST(cu.cuGraphAddEmptyNode(&then, graph, &first, 1));
    return cu.cuGraphAddDependencies(graph, &first, &then, 1);
}

CUresult an_edge_that_is_none_removed(void) {
    CUgraph graph = begin_with_graph();
    CUgraphNode first, then;
    MUST(cu.cuGraphAddEmptyNode(&first, graph, NULL, 0));
    MUST(cu.cuGraphAddEmptyNode(&then, graph, NULL, 0));
    return cu.cuGraphRemoveDependencies(graph, &first, &then, 1);
}

CUresult instance_of_a_circle(void) {
    CUgraph graph = begin_with_graph();
    CUgraphNode first, then;
    CUgraphExec exec;
    MUST(cu.cuGraphAddEmptyNode(&first, graph, NULL, 0));
    MUST(cu.cuGraphAddEmptyNode(&then, graph, &first, 1));
    MUST(cu.cuGraphAddDependencies(graph, &then, &first, 1));
    return cu.cuGraphInstantiateWithFlags(&exec, graph, 0);
}

CUresult instance_with_odd_flags(void) {
    CUgraph graph = begin_with_graph();
    CUgraphExec exec;
    return cu.cuGraphInstantiateWithFlags(&exec, graph, 1ULL << 40);
}

CUresult parameters_of_another_kind_of_node(void) {
    CUgraph graph = begin_with_graph();
    CUgraphNode node;
    CUDA_HOST_NODE_PARAMS called;
    MUST(cu.cuGraphAddEmptyNode(&node, graph, NULL, 0));
    return cu.cuGraphHostNodeGetParams(node, &called);
}

CUresult a_graph_destroyed_twice(void) {
    CUgraph graph = begin_with_graph();
    MUST(cu.cuGraphDestroy(graph));
    return cu.cuGraphDestroy(graph);
}

CUresult an_instance_launched_after_its_end(void) {
    CUgraph graph = begin_with_graph();
    CUgraphExec exec;
    MUST(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
    MUST(cu.cuGraphExecDestroy(exec));
    return cu.cuGraphLaunch(exec, on.stream);
}

/* ---- captures ---- */

static void capture(void) {
    cuda_misuse_begin();
    MUST(cu.cuStreamBeginCapture_v2(on.stream, 0));
}

CUresult a_capture_of_the_legacy_stream(void) {
    cuda_misuse_begin();
    return cu.cuStreamBeginCapture_v2(NULL, 0);
}

CUresult a_capture_in_no_mode(void) {
    cuda_misuse_begin();
    return cu.cuStreamBeginCapture_v2(on.stream, 3);
}

CUresult a_capture_within_a_capture(void) {
    capture();
    return cu.cuStreamBeginCapture_v2(on.stream, 0);
}

CUresult the_end_of_no_capture(void) {
    CUgraph graph;
    cuda_misuse_begin();
    return cu.cuStreamEndCapture(on.stream, &graph);
}

CUresult a_wait_for_a_captured_stream(void) {
    capture();
    return cu.cuStreamSynchronize(on.stream);
}

CUresult the_end_of_a_capture_that_went_wrong(void) {
    CUgraph graph;
    capture();
    (void)cu.cuStreamSynchronize(on.stream);
    return cu.cuStreamEndCapture(on.stream, &graph);
}

CUresult an_allocation_beside_a_capture(void) {
    CUdeviceptr memory;
    capture();
    return cu.cuMemAlloc_v2(&memory, BYTES);
}

CUresult a_captured_event_waited_for(void) {
    capture();
    MUST(cu.cuEventRecord(on.event, on.stream));
    return cu.cuEventSynchronize(on.event);
}

CUresult a_capture_behind_what_is_none(void) {
    CUstream other;
    cuda_misuse_begin();
    MUST(cu.cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    MUST(cu.cuEventRecord(on.event, other));
    MUST(cu.cuStreamBeginCapture_v2(on.stream, 0));
    return cu.cuStreamWaitEvent(on.stream, on.event, 0);
}
