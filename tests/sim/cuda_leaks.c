/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulated CUDA driver has of its own for a program (graphs, modules), and what the
 * program lets it at: what is left at the end is named, if ADI_SIM_LEAKS asks for it.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_leaks_suite(void);

static const char text[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; }\n";
static CUgraph graph;
static char registered[64];

static void nothing(void *unused) {
    (void)unused;
}

/* ---- left, and not left ---- */

static void of_a_graph(bool wrong) {
    CUDA_OK(cuGraphCreate(&graph, 0));
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void of_a_captured_graph(bool wrong) {
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, 0));
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, CUDA_BYTES, cuda.s));
    CUDA_OK(cuStreamEndCapture(cuda.s, &graph));
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void of_an_instance(bool wrong) {
    CUgraphExec exec;
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuGraphDestroy(graph));
    if (!wrong) CUDA_OK(cuGraphExecDestroy(exec));
}

/* What a graph has goes with it. */
static void of_an_object(bool wrong) {
    CUuserObject object;
    CUDA_OK(cuUserObjectCreate(&object, NULL, nothing, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CUDA_OK(cuGraphDestroy(graph));
    if (!wrong) CUDA_OK(cuUserObjectRelease(object, 1));
}

static void of_what_has_an_object(bool wrong) {
    CUuserObject object;
    CUDA_OK(cuUserObjectCreate(&object, NULL, nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    if (!wrong) CUDA_OK(cuGraphDestroy(graph));
}

static void of_a_library(bool wrong) {
    CUmodule library;
    CUDA_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    if (!wrong) CUDA_OK(cuLibraryUnload(library));
}

static void of_a_linker(bool wrong) {
    CUlinkState link;
    CUDA_OK(cuLinkCreate(0, NULL, NULL, &link));
    if (!wrong) CUDA_OK(cuLinkDestroy(link));
}

static void of_a_registration(bool wrong) {
    CUDA_OK(cuMemHostRegister(registered, sizeof registered, 0));
    if (!wrong) CUDA_OK(cuMemHostUnregister(registered));
}

static const struct sim_pair pairs[] = {
    {of_a_graph, "leak"},   {of_a_captured_graph, "leak"},   {of_an_instance, "leak"},
    {of_an_object, "leak"}, {of_what_has_an_object, "leak"}, {of_a_library, "leak"},
    {of_a_linker, "leak"},  {of_a_registration, "leak"},
};

START_TEST(what_is_left_is_named_and_what_is_given_back_is_not)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&pairs[_i], cuda_scene_begin, cuda_scene_end, 1);
}
END_TEST

/* ---- how it is named ---- */

static void leave_in_order(void) {
    CUgraphExec exec;
    cuda_scene_begin();
    CUDA_OK(cuMemHostRegister(registered, sizeof registered, 0));
    of_a_captured_graph(true);
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
}

START_TEST(its_maker_is_named)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_expect(leave_in_order, "\"text\":\"a graph (made by cuStreamEndCapture in call ",
               "\"text\":\"an instance of a graph (made by cuGraphInstantiateWithFlags in call ",
               "(64 bytes, made by cuMemHostRegister_v2 in call ");
}
END_TEST

/* ---- what is no leak ---- */

/* It goes with its context, be it the primary one. */
static void keep_modules_of_contexts(void) {
    CUmodule module;
    CUcontext context;
    cuda_scene_begin();
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuCtxDestroy(context));
    cuda_scene_end();
}

static void never_end_a_capture(void) {
    CUstream stream;
    cuda_scene_begin();
    CUDA_OK(cuStreamCreate(&stream, 1));
    CUDA_OK(cuStreamBeginCapture_v2(stream, 0));
    CUDA_OK(cuStreamDestroy(stream));
    cuda_scene_end();
}

START_TEST(what_ends_with_something_else_is_no_leak)
{
    static void (*const programs[])(void) = {keep_modules_of_contexts, never_end_a_capture};
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(programs[_i], 1);
}
END_TEST

/* Who asks in between is not told: a module may well be kept for ever. */
static void ask_in_between(void) {
    CUmodule module;
    size_t before;
    cuda_scene_begin();
    before = adi_sim_live(0);
    of_a_graph(true);
    of_a_registration(true);
    CUDA_OK(cuModuleLoadData(&module, text));
    SIM_WANT(adi_sim_live(0) == before);
    cuda_scene_end();
    SIM_WANT(adi_sim_leaks() == 0 && adi_sim_violations() == 0);
}

START_TEST(nobody_is_told_who_has_not_asked)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(ask_in_between, 1);
}
END_TEST

/* The event by which a launch waits for the one before is the driver's own. */
static void launch_what_is_left(void) {
    char newest[ADI_SIM_LABEL];
    CUgraphExec exec;
    CUevent event;
    cuda_scene_begin();
    CUDA_OK(cuEventCreate(&event, 0));
    CUDA_OK(cuGraphCreate(&graph, 0));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    size_t before = adi_sim_live(0);
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuGraphLaunch(exec, cuda.t));
    SIM_WANT(adi_sim_live(0) == before);
    SIM_WANT(adi_sim_newest(0, newest) == 0);
    SIM_WANT(strcmp(newest, "event of cuEventCreate") == 0);
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(graph));
    CUDA_OK(cuEventDestroy(event));
    SIM_WANT(adi_sim_live(0) == before - 1);
    cuda_scene_end();
}

START_TEST(a_launch_leaves_nothing_of_the_programs)
{ sim_goes_well(launch_what_is_left, sim_ways()); }
END_TEST

Suite *sim_cuda_leaks_suite(void) {
    Suite *suite = suite_create("sim_cuda_leaks");
    TCase *tests = tcase_create("leaks");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, what_is_left_is_named_and_what_is_given_back_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, its_maker_is_named);
    tcase_add_loop_test(tests, what_ends_with_something_else_is_no_leak, 0, 2);
    tcase_add_test(tests, nobody_is_told_who_has_not_asked);
    tcase_add_test(tests, a_launch_leaves_nothing_of_the_programs);
    suite_add_tcase(suite, tests);
    return suite;
}
