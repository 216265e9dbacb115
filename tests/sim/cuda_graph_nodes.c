/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of the simulated CUDA driver's graphs: those that go, those of other contexts, and what
 * they take in.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_graph_nodes_suite(void);

#define BYTES CUDA_BYTES

static CUgraph graph;
static CUgraphExec exec;

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuGraphCreate(&graph, 0));
}

static void end(void) {
    CUDA_OK(cuGraphDestroy(graph));
    cuda_scene_end();
}

static CUgraphNode fill_in(CUcontext context, CUdeviceptr to, unsigned value,
                           const CUgraphNode *after, size_t n) {
    const CUDA_MEMSET_NODE_PARAMS what = {
        .to = to, .value = value, .element = 1, .width = BYTES, .height = 1};
    CUgraphNode made = NULL;
    CUDA_OK(cuGraphAddMemsetNode(&made, graph, after, n, &what, context));
    return made;
}

static CUgraphNode fill(CUdeviceptr to, unsigned value, const CUgraphNode *after, size_t n) {
    return fill_in(cuda.context, to, value, after, n);
}

static void launch(CUstream stream) {
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, stream));
    CUDA_OK(cuGraphExecDestroy(exec));
}

/* ---- those that go ---- */

/* What was behind one is behind nothing then, and the others keep their order. */
static void destroy_nodes(void) {
    CUgraphNode nodes[4], first, second, third;
    size_t n = 4;
    begin();
    first = fill(cuda.managed, 1, NULL, 0);
    second = fill(cuda.managed, 2, &first, 1);
    third = fill(cuda.managed, 3, &second, 1);
    CUDA_OK(cuGraphDestroyNode(first));
    CUDA_OK(cuGraphNodeGetDependencies(second, nodes, &n));
    SIM_WANT(n == 0);
    n = 4;
    nodes[2] = nodes[3] = third;
    CUDA_OK(cuGraphGetNodes(graph, nodes, &n));
    SIM_WANT(n == 2 && nodes[0] == second && nodes[1] == third);
    SIM_WANT(nodes[2] == NULL && nodes[3] == NULL);
    launch(cuda.s);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(*cuda_at(cuda.managed, 0) == 3);
    end();
}

START_TEST(nodes_can_be_destroyed)
{ sim_goes_well(destroy_nodes, sim_ways()); }
END_TEST

/* ---- of another context ---- */

/* Each step is in the context that it is of, also where it goes on behind one of another. */
static void use_two_devices(void) {
    CUcontext context;
    CUdeviceptr there;
    CUevent event;
    CUgraphNode last;
    begin();
    CUDA_OK(cuCtxCreate(&context, 0, 1));
    CUDA_OK(cuMemAlloc(&there, BYTES));
    CUDA_OK(cuEventCreate(&event, 0));
    last = fill_in(NULL, there, 6, NULL, 0); /* in the current one */
    CUDA_OK(cuCtxPopCurrent(NULL));
    last = fill(cuda.a, 7, &last, 1);
    last = fill_in(context, there, 8, &last, 1);
    last = fill(cuda.a, 9, &last, 1);
    CUDA_OK(cuGraphAddEventRecordNode(&last, graph, &last, 1, event));
    launch(cuda.s);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuEventQuery(event));
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuMemFree(there));
    CUDA_OK(cuCtxDestroy(context));
    end();
}

START_TEST(steps_are_in_their_contexts)
{ sim_goes_well(use_two_devices, sim_ways()); }
END_TEST

static const char text[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; }\n";

/* A function of a module is called in the module's context, a kernel of a library where it is said.
 */
static void call_kernels_of_another(bool wrong) {
    CUcontext context;
    CUmodule module;
    CUlibrary library;
    CUgraphNode first, second;
    CUdeviceptr memory = 0;
    void *arguments[] = {&memory};
    CUDA_KERNEL_NODE_PARAMS what = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = arguments};
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuModuleGetFunction(&what.function, module, "one"));
    CUDA_OK(cuCtxPopCurrent(NULL));
    first = fill(cuda.a, 7, NULL, 0);
    if (!wrong) CUDA_OK(cuGraphAddKernelNode_v2(&second, graph, &first, 1, &what));
    CUDA_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    what.function = NULL;
    what.context = context;
    CUDA_OK(cuLibraryGetKernel(&what.kernel, library, "one"));
    CUDA_OK(cuGraphAddKernelNode_v2(&second, graph, &first, 1, &what));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    if (wrong) CUDA_OK(cuCtxDestroy(context));
    CUDA_ANSWERS(cuGraphLaunch(exec, cuda.s),
                 wrong ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS);
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuLibraryUnload(library));
    CUDA_OK(cuModuleUnload(module));
    if (!wrong) CUDA_OK(cuCtxDestroy(context));
}

static const struct sim_pair contexts = {call_kernels_of_another, "use-after-destroy"};

START_TEST(kernels_are_called_in_their_contexts)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&contexts, begin, end, 1);
}
END_TEST

/* ---- what they take in ---- */

static CUresult add_copy(CUDA_MEMCPY3D box) {
    CUgraphNode node;
    return cuGraphAddMemcpyNode(&node, graph, NULL, 0, &box, cuda.context);
}

static CUresult add_fill(CUDA_MEMSET_NODE_PARAMS what) {
    CUgraphNode node;
    return cuGraphAddMemsetNode(&node, graph, NULL, 0, &what, cuda.context);
}

static void refuse(void) {
    CUgraph other;
    CUgraphNode one, two;
    CUDA_MEMCPY3D box = {.from = {.type = CU_MEMORYTYPE_DEVICE, .device = cuda.a},
                         .to = {.type = CU_MEMORYTYPE_DEVICE, .device = cuda.b},
                         .width = 2,
                         .height = 2,
                         .depth = 1};
    begin();
    box.from.device = cuda.a;
    box.to.device = cuda.b;
    box.from.pitch = box.to.pitch = 4;
    CUDA_OK(add_copy(box));
    box.from.x = 2;
    CUDA_OK(add_copy(box));
    box.from.x = 3;
    CUDA_ANSWERS(add_copy(box), CUDA_ERROR_INVALID_VALUE);
    box.from.x = 0;
    box.depth = 2;
    box.from.height = box.to.height = 3;
    box.to.y = 1;
    CUDA_OK(add_copy(box));
    box.to.y = 2;
    CUDA_ANSWERS(add_copy(box), CUDA_ERROR_INVALID_VALUE);
    box.depth = 1;
    box.from.type = CU_MEMORYTYPE_ARRAY;
    CUDA_ANSWERS(add_copy(box), CUDA_ERROR_NOT_SUPPORTED);
    box.from.type = CU_MEMORYTYPE_DEVICE;
    box.to.type = CU_MEMORYTYPE_ARRAY;
    CUDA_ANSWERS(add_copy(box), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_OK(add_fill((CUDA_MEMSET_NODE_PARAMS){cuda.a, 8, 1, 4, 2, 2}));
    CUDA_ANSWERS(add_fill((CUDA_MEMSET_NODE_PARAMS){cuda.a, 7, 1, 4, 2, 2}),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(add_fill((CUDA_MEMSET_NODE_PARAMS){cuda.a + 2, 8, 1, 4, 2, 2}),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphCreate(&other, 0));
    CUDA_OK(cuGraphAddEmptyNode(&one, other, NULL, 0));
    CUDA_OK(cuGraphAddEmptyNode(&two, other, NULL, 0));
    CUDA_ANSWERS(cuGraphAddDependencies(graph, &one, &two, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphDestroy(other));
    end();
}

START_TEST(what_no_node_can_be_is_refused)
{ sim_goes_well(refuse, 1); }
END_TEST

/* A copy from pageable memory reads it when it runs. */
static void copy_late(void) {
    static char host[8] = "early";
    CUDA_MEMCPY3D box = {.from = {.type = CU_MEMORYTYPE_HOST, .host = host},
                         .to = {.type = CU_MEMORYTYPE_DEVICE},
                         .width = sizeof host,
                         .height = 1,
                         .depth = 1};
    begin();
    box.to.device = cuda.managed;
    CUDA_OK(add_copy(box));
    launch(cuda.s);
    strcpy(host, "late");
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(strcmp((const char *)(uintptr_t)cuda.managed, "late") == 0);
    end();
}

START_TEST(pageable_memory_is_read_when_the_copy_runs)
{ sim_goes_well(copy_late, 1); }
END_TEST

/* ---- what they keep alive ---- */

static int ended;

static void see_the_end(void *data) {
    ended = data == NULL ? 1 : *(volatile char *)data;
}

static void end_with_a_graph(void) {
    CUuserObject object;
    begin();
    CUDA_OK(cuUserObjectCreate(&object, NULL, see_the_end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 1);
    CUDA_OK(cuGraphCreate(&graph, 0));
    end();
}

/* The instance may go while its last launch is under way: the object ends behind that. */
static void end_behind_the_last_launch(void) {
    CUuserObject object;
    begin();
    CUDA_OK(cuUserObjectCreate(&object, (void *)(uintptr_t)cuda.managed, see_the_end, 1,
                               CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    fill(cuda.managed, 7, NULL, 0);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphReleaseUserObject(graph, object, 1));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 7);
    end();
}

START_TEST(objects_end_behind_what_used_them)
{
    sim_goes_well(end_with_a_graph, sim_ways());
    sim_goes_well(end_behind_the_last_launch, sim_ways());
}
END_TEST

static void count_references(void) {
    CUuserObject object;
    const unsigned flags = CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, moves = CU_GRAPH_USER_OBJECT_MOVE;
    begin();
    CUDA_ANSWERS(cuUserObjectCreate(&object, NULL, see_the_end, 1, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuUserObjectCreate(&object, NULL, see_the_end, 1, flags));
    CUDA_ANSWERS(cuUserObjectRelease(object, 2), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuGraphRetainUserObject(graph, object, 2, moves), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, moves));
    CUDA_ANSWERS(cuUserObjectRelease(object, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuUserObjectRetain(object, 1));
    CUDA_OK(cuGraphReleaseUserObject(graph, object, 1));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0)); /* which has none of it */
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 0);
    CUDA_OK(cuUserObjectRelease(object, 1));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(ended == 1);
    CUDA_OK(cuGraphExecDestroy(exec));
    end();
}

START_TEST(references_are_counted)
{ sim_goes_well(count_references, 1); }
END_TEST

static void after_its_end(bool wrong) {
    CUuserObject object;
    CUDA_OK(cuUserObjectCreate(&object, NULL, see_the_end, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuUserObjectRelease(object, wrong ? 2 : 1));
    CUDA_ANSWERS(cuUserObjectRelease(object, 1), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

static const struct sim_pair ends = {after_its_end, "use-after-destroy"};

START_TEST(an_object_ends_once)
{ sim_tells_apart(&ends, begin, end, 1); }
END_TEST

/* ---- what else is said ---- */

static void hear_the_rest(void) {
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {.result = 7};
    CUgraphEdgeData data[2];
    CUgraphNode first, second, from[2], to[2];
    char log[] = "words";
    size_t n = 2;
    begin();
    first = fill(cuda.a, 7, NULL, 0);
    second = fill(cuda.a, 8, &first, 1);
    memset(data, 1, sizeof data);
    CUDA_OK(cuGraphGetEdges_v2(graph, from, to, data, &n));
    SIM_WANT(n == 1 && data[0].from_port == 0 && data[0].type == 0);
    CUDA_OK(cuGraphInstantiate(&exec, graph, &first, log, sizeof log));
    SIM_WANT(first == NULL && *log == '\0');
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphInstantiateWithParams(&exec, graph, &how));
    SIM_WANT(how.result == 0);
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphAddDependencies(graph, &second, from, 1)); /* a circle */
    CUDA_ANSWERS(cuGraphInstantiateWithParams(&exec, graph, &how), CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(how.result == 1);
    end();
}

START_TEST(what_is_handed_out_is_set)
{ sim_goes_well(hear_the_rest, 1); }
END_TEST

Suite *sim_cuda_graph_nodes_suite(void) {
    Suite *suite = suite_create("sim_cuda_graph_nodes");
    TCase *tests = tcase_create("nodes");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, nodes_can_be_destroyed);
    tcase_add_test(tests, steps_are_in_their_contexts);
    tcase_add_test(tests, kernels_are_called_in_their_contexts);
    tcase_add_test(tests, what_no_node_can_be_is_refused);
    tcase_add_test(tests, pageable_memory_is_read_when_the_copy_runs);
    tcase_add_test(tests, objects_end_behind_what_used_them);
    tcase_add_test(tests, references_are_counted);
    tcase_add_test(tests, an_object_ends_once);
    tcase_add_test(tests, what_is_handed_out_is_set);
    suite_add_tcase(suite, tests);
    return suite;
}
