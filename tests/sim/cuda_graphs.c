/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of the simulated CUDA driver, built by hand.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_graphs_suite(void);

#define BYTES CUDA_BYTES

static CUgraph graph;
static CUgraphExec exec;
static volatile char sink;
static char host[BYTES];

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuGraphCreate(&graph, 0));
}

static void end(void) {
    CUDA_OK(cuGraphDestroy(graph));
    cuda_scene_end();
}

static CUgraphNode fill(CUdeviceptr to, unsigned value, const CUgraphNode *after, size_t n) {
    const CUDA_MEMSET_NODE_PARAMS what = {
        .to = to, .value = value, .element = 1, .width = BYTES, .height = 1};
    CUgraphNode made = NULL;
    CUDA_OK(cuGraphAddMemsetNode(&made, graph, after, n, &what, cuda.context));
    return made;
}

static CUDA_MEMCPY3D box_of(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return (CUDA_MEMCPY3D){.from = {.type = CU_MEMORYTYPE_DEVICE, .device = from},
                           .to = {.type = CU_MEMORYTYPE_UNIFIED, .device = to},
                           .width = bytes,
                           .height = 1,
                           .depth = 1};
}

static CUgraphNode copy(CUdeviceptr to, CUdeviceptr from, const CUgraphNode *after, size_t n) {
    const CUDA_MEMCPY3D what = box_of(to, from, BYTES);
    CUgraphNode made = NULL;
    CUDA_OK(cuGraphAddMemcpyNode(&made, graph, after, n, &what, cuda.context));
    return made;
}

static CUgraphNode copy_out(CUdeviceptr from, const CUgraphNode *after, size_t n) {
    return copy((uintptr_t)cuda.pinned, from, after, n);
}

static void launch(CUstream stream) {
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, stream));
    CUDA_OK(cuGraphExecDestroy(exec));
}

/* ---- used rightly and wrongly ---- */

/* Behind a fill two copies, and both before the last. */
static void by_two_ways(bool wrong) {
    CUgraphNode first = fill(cuda.a, 7, NULL, 0), both[2];
    both[0] = copy(cuda.b, cuda.a, &first, 1);
    both[1] = copy(cuda.managed, cuda.a, &first, 1);
    CUgraphNode last = fill(cuda.a, 1, both, wrong ? 1 : 2);
    copy_out(cuda.b, &last, 1);
    launch(cuda.s);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(cuda.pinned[BYTES - 1] == 7);
    SIM_WANT(*cuda_at(cuda.managed, 0) == 7);
}

static void with_an_edge_that_comes_later(bool wrong) {
    CUgraphNode second = copy_out(cuda.a, NULL, 0), first = fill(cuda.a, 7, NULL, 0);
    if (!wrong) CUDA_OK(cuGraphAddDependencies(graph, &first, &second, 1));
    launch(cuda.s);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(wrong || cuda.pinned[0] == 7);
}

static void read_before_it_was_waited_for(bool wrong) {
    CUgraphNode first = fill(cuda.a, 7, NULL, 0);
    copy_out(cuda.a, &first, 1);
    launch(cuda.s);
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *cuda_at((uintptr_t)cuda.pinned, 3);
    SIM_WANT(wrong || sink == 7);
}

static void used_on_another_stream(bool wrong) {
    fill(cuda.a, 7, NULL, 0);
    launch(cuda.s);
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!wrong) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.t));
}

static void behind_what_is_in_the_stream(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, wrong ? cuda.t : cuda.s));
    copy_out(cuda.a, NULL, 0);
    launch(cuda.s);
}

/* One instance is in order with itself, on whatever stream; two are not. */
static void launched_twice(bool wrong) {
    CUgraphExec other;
    fill(cuda.a, 7, NULL, 0);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphInstantiate(&other, graph, NULL, NULL, 0));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuGraphLaunch(wrong ? other : exec, cuda.t));
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphExecDestroy(other));
}

static void of_memory_that_was_freed(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    fill(memory, 7, NULL, 0);
    if (wrong) CUDA_OK(cuMemFree(memory));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_ANSWERS(cuGraphLaunch(exec, cuda.s), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    CUDA_OK(cuGraphExecDestroy(exec));
    if (!wrong) CUDA_OK(cuMemFree(memory));
}

/* Events of nodes are recorded and waited for by others. */
static void with_events(bool wrong) {
    CUgraphNode first = fill(cuda.a, 7, NULL, 0), second;
    CUDA_OK(
        cuGraphAddEventRecordNode(&second, graph, wrong ? NULL : &first, wrong ? 0 : 1, cuda.e));
    launch(cuda.s);
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.t));
}

static void behind_an_event(bool wrong) {
    CUgraphNode first = NULL;
    CUDA_OK(cuMemsetD8Async(cuda.a, 7, BYTES, cuda.t));
    CUDA_OK(cuEventRecord(cuda.e, cuda.t));
    if (!wrong) CUDA_OK(cuGraphAddEventWaitNode(&first, graph, NULL, 0, cuda.e));
    copy_out(cuda.a, &first, wrong ? 0 : 1);
    launch(cuda.s);
}

static void write_pinned(void *data) {
    memset(data, 5, BYTES);
}

static void with_a_host_function(bool wrong) {
    const CUDA_HOST_NODE_PARAMS what = {write_pinned, cuda.pinned};
    CUgraphNode first, second;
    CUDA_OK(cuGraphAddHostNode(&first, graph, NULL, 0, &what));
    second = copy(cuda.a, (uintptr_t)cuda.pinned, &first, 1);
    copy(cuda.b, cuda.a, &second, wrong ? 0 : 1);
    launch(cuda.s);
    CUDA_OK(cuStreamSynchronize(cuda.s));
}

static void destroyed_before(bool wrong) {
    CUgraph other;
    CUDA_OK(cuGraphCreate(&other, 0));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, other, 0));
    if (wrong) CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(other)); /* the instance lives on */
    CUDA_ANSWERS(cuGraphLaunch(exec, cuda.s), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuGraphExecDestroy(exec));
}

static void a_stream_as_graph(bool wrong) {
    CUgraph of = wrong ? (CUgraph)(void *)cuda.s : graph;
    size_t n;
    CUDA_ANSWERS(cuGraphGetNodes(of, NULL, &n), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

static void destroyed_twice(bool wrong) {
    CUgraph other;
    CUDA_OK(cuGraphCreate(&other, 0));
    CUDA_OK(cuGraphDestroy(other));
    if (wrong) CUDA_ANSWERS(cuGraphDestroy(other), CUDA_ERROR_INVALID_VALUE);
}

static const struct sim_pair pairs[] = {
    {by_two_ways, "race"},
    {with_an_edge_that_comes_later, "race"},
    {read_before_it_was_waited_for, "touched-before-wait"},
    {used_on_another_stream, "race"},
    {behind_what_is_in_the_stream, "race"},
    {launched_twice, "race"},
    {of_memory_that_was_freed, "use-after-free"},
    {with_events, "race"},
    {behind_an_event, "race"},
    {with_a_host_function, "race"},
    {destroyed_before, "use-after-destroy"},
    {destroyed_twice, "double-destroy"},
    {a_stream_as_graph, "bad-handle"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE); }
END_TEST

/* ---- what there is in one ---- */

static void inspect(void) {
    CUgraphNode nodes[4], from[4], to[4], first, second, third;
    CUgraphEdgeData edges[4];
    CUDA_MEMSET_NODE_PARAMS filled;
    CUDA_MEMCPY3D copied;
    int type;
    size_t n = 4;
    begin();
    first = fill(cuda.a, 7, NULL, 0);
    second = copy(cuda.b, cuda.a, &first, 1);
    CUDA_OK(cuGraphAddEmptyNode(&third, graph, &second, 1));
    CUDA_OK(cuGraphGetNodes(graph, NULL, &n));
    SIM_WANT(n == 3);
    n = 4;
    CUDA_OK(cuGraphGetNodes(graph, nodes, &n));
    SIM_WANT(n == 3 && nodes[0] == first && nodes[2] == third && nodes[3] == NULL);
    n = 1;
    CUDA_OK(cuGraphGetNodes(graph, nodes + 3, &n));
    SIM_WANT(n == 1 && nodes[3] == first);
    n = 4;
    CUDA_OK(cuGraphGetRootNodes(graph, nodes, &n));
    SIM_WANT(n == 1 && nodes[0] == first);
    n = 4;
    CUDA_OK(cuGraphGetEdges_v2(graph, from, to, edges, &n));
    SIM_WANT(n == 2 && from[0] == first && to[0] == second && from[1] == second && to[1] == third);
    n = 4;
    CUDA_OK(cuGraphNodeGetDependencies(third, nodes, &n));
    SIM_WANT(n == 1 && nodes[0] == second);
    n = 4;
    CUDA_OK(cuGraphNodeGetDependentNodes_v2(first, nodes, edges, &n));
    SIM_WANT(n == 1 && nodes[0] == second);
    CUDA_OK(cuGraphNodeGetType(second, &type));
    SIM_WANT(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    CUDA_OK(cuGraphNodeGetType(third, &type));
    SIM_WANT(type == CU_GRAPH_NODE_TYPE_EMPTY);
    CUDA_OK(cuGraphMemsetNodeGetParams(first, &filled));
    SIM_WANT(filled.to == cuda.a && filled.value == 7);
    CUDA_OK(cuGraphMemcpyNodeGetParams(second, &copied));
    SIM_WANT(copied.to.device == cuda.b && copied.width == BYTES);
    CUDA_ANSWERS(cuGraphMemcpyNodeGetParams(first, &copied), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphRemoveDependencies(graph, &second, &third, 1));
    CUDA_ANSWERS(cuGraphRemoveDependencies(graph, &second, &third, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphDestroyNode(second));
    n = 4;
    CUDA_OK(cuGraphGetEdges(graph, from, to, &n));
    SIM_WANT(n == 0);
    n = 4;
    CUDA_OK(cuGraphGetRootNodes(graph, nodes, &n));
    SIM_WANT(n == 2 && nodes[0] == first && nodes[1] == third);
    end();
}

START_TEST(what_is_in_a_graph_can_be_asked_for)
{ sim_goes_well(inspect, 1); }
END_TEST

static void refuse(void) {
    CUgraph other;
    CUgraphNode first, second, odd;
    CUDA_MEMSET_NODE_PARAMS what = {.to = cuda.a, .element = 3, .width = 1, .height = 1};
    CUDA_MEMCPY3D box = box_of(cuda.a, cuda.b, 0);
    CUgraphEdgeData edge = {.from_port = 1};
    CUgraphNodeParams child = {.type = 4};
    begin();
    CUDA_OK(cuGraphCreate(&other, 0));
    CUDA_OK(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    CUDA_OK(cuGraphAddEmptyNode(&second, graph, &first, 1));
    CUDA_OK(cuGraphAddEmptyNode(&odd, other, NULL, 0));
    CUDA_ANSWERS(cuGraphAddDependencies(graph, &first, &second, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphAddDependencies(graph, &first, &first, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphAddDependencies(graph, &first, &odd, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphAddDependencies(other, &first, &second, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphAddDependencies_v2(graph, &second, &first, &edge, 1),
                 CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuGraphAddMemsetNode(&odd, graph, NULL, 0, &what, cuda.context),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphAddMemcpyNode(&odd, graph, NULL, 0, &box, cuda.context),
                 CUDA_ERROR_INVALID_VALUE);
    box.width = 4;
    box.height = 2;
    CUDA_ANSWERS(cuGraphAddMemcpyNode(&odd, graph, NULL, 0, &box, cuda.context),
                 CUDA_ERROR_INVALID_VALUE);
    box.from.type = CU_MEMORYTYPE_ARRAY;
    CUDA_ANSWERS(cuGraphAddMemcpyNode(&odd, graph, NULL, 0, &box, cuda.context),
                 CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuGraphAddNode_v2(&odd, graph, NULL, NULL, 0, &child), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_OK(cuGraphAddDependencies(graph, &second, &first, 1)); /* a circle */
    CUDA_ANSWERS(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphDestroy(other));
    end();
}

START_TEST(what_no_graph_can_be_is_refused)
{ sim_goes_well(refuse, 1); }
END_TEST

/* ---- what nodes do ---- */

static void copy_rows(void) {
    CUDA_MEMCPY3D box = {.from = {.x = 1, .type = CU_MEMORYTYPE_HOST, .host = host, .pitch = 8},
                         .to = {.type = CU_MEMORYTYPE_DEVICE, .device = cuda.a, .pitch = 4},
                         .width = 2,
                         .height = 3,
                         .depth = 1};
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
    CUgraphNode first, second;
    begin();
    for (int i = 0; i < 64; i++) host[i] = (char)i;
    box.to.device = cuda.a;
    any.fill.kind = (CUDA_MEMSET_NODE_PARAMS){cuda.a, 8, 0x0505, 2, 2, 2};
    CUDA_OK(cuGraphAddNode(&first, graph, NULL, 0, &any));
    CUDA_OK(cuGraphAddMemcpyNode(&second, graph, &first, 1, &box, NULL));
    copy_out(cuda.a, &second, 1);
    CUDA_OK(cuGraphInstantiateWithParams(&exec, graph, &how));
    CUDA_OK(cuGraphUpload(exec, cuda.s));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    const char *row = cuda.pinned;
    SIM_WANT(row[0] == 1 && row[1] == 2 && row[2] == 5 && row[3] == 5);
    SIM_WANT(row[4] == 9 && row[5] == 10 && row[8] == 17 && row[9] == 18 && row[10] == 5);
    CUDA_OK(cuGraphLaunch(exec, NULL));
    CUDA_OK(cuGraphExecDestroy(exec)); /* in the midst of its work */
    CUDA_OK(cuStreamSynchronize(NULL));
    end();
}

START_TEST(rows_are_copied_and_filled)
{ sim_goes_well(copy_rows, sim_ways()); }
END_TEST

/* ---- what graphs keep alive ---- */

static int ended;

static void end_object(void *data) {
    *(int *)data += 1;
}

static void keep_alive(void) {
    CUuserObject object;
    begin();
    CUDA_OK(cuUserObjectCreate(&object, &ended, end_object, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUDA_OK(cuUserObjectRelease(object, 1));
    fill(cuda.a, 7, NULL, 0);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphReleaseUserObject(graph, object, 1));
    CUDA_ANSWERS(cuGraphReleaseUserObject(graph, object, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 0);
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 1);
    end();
}

START_TEST(objects_live_as_long_as_an_instance)
{ sim_goes_well(keep_alive, sim_ways()); }
END_TEST

/* ---- kernels ---- */

static void with_kernels(bool wrong) {
    static const char text[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; }\n";
    CUmodule module;
    CUfunction function;
    CUgraphNode first, second;
    CUdeviceptr memory = cuda.a;
    void *arguments[] = {&memory};
    CUDA_KERNEL_NODE_PARAMS what = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = arguments};
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuModuleGetFunction(&function, module, "one"));
    what.function = function;
    CUDA_OK(cuGraphAddKernelNode(&first, graph, NULL, 0, &what));
    memory = cuda.b;
    CUDA_OK(cuGraphAddKernelNode_v2(&second, graph, NULL, 0, &what));
    copy_out(cuda.a, wrong ? &second : &first, 1);
    launch(cuda.s);
    CUDA_OK(cuModuleUnload(module));
}

static const struct sim_pair opaque = {with_kernels, "launch-unordered"};

START_TEST(kernels_are_nodes_where_they_are_opaque)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&opaque, begin, end, 1);
}
END_TEST

Suite *sim_cuda_graphs_suite(void) {
    Suite *suite = suite_create("sim_cuda_graphs");
    TCase *tests = tcase_create("graphs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, what_is_in_a_graph_can_be_asked_for);
    tcase_add_test(tests, what_no_graph_can_be_is_refused);
    tcase_add_test(tests, rows_are_copied_and_filled);
    tcase_add_test(tests, objects_live_as_long_as_an_instance);
    tcase_add_test(tests, kernels_are_nodes_where_they_are_opaque);
    suite_add_tcase(suite, tests);
    return suite;
}
