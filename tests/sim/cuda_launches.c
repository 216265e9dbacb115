/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the simulated CUDA driver, launched as opaque commands.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_launches_suite(void);

#define BYTES CUDA_BYTES

static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 by, .param .u32 n)"
    "{ ret; }\n"
    ".visible .entry within(.param .align 8 .b8 all[24]) { ret; }\n"
    ".visible .entry behind(.param .u32 n, .param .align 4 .b8 all[20]) { ret; }\n"
    ".visible .entry idle() { ret; }\n";

static CUmodule module;
static CUfunction scale, within, behind, idle;
static volatile char sink;

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuModuleGetFunction(&scale, module, "scale"));
    CUDA_OK(cuModuleGetFunction(&within, module, "within"));
    CUDA_OK(cuModuleGetFunction(&behind, module, "behind"));
    CUDA_OK(cuModuleGetFunction(&idle, module, "idle"));
}

static void end(void) {
    CUDA_OK(cuModuleUnload(module));
    cuda_scene_end();
}

static CUresult launch(CUdeviceptr out, CUdeviceptr in, CUstream stream) {
    float by = 2;
    unsigned n = BYTES;
    void *arguments[] = {&out, &in, &by, &n};
    return cuLaunchKernel(scale, 4, 1, 1, 128, 1, 1, 0, stream, arguments, NULL);
}

static void order(CUstream second, CUstream first) {
    CUDA_OK(cuEventRecord(cuda.e, first));
    CUDA_OK(cuStreamWaitEvent(second, cuda.e, 0));
}

/* ---- used rightly and wrongly ---- */

static void copied_behind_it(bool wrong) {
    CUDA_OK(launch(cuda.a, cuda.b, cuda.s));
    if (!wrong) order(cuda.t, cuda.s);
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.t));
}

static void filled_before_it(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, BYTES, cuda.s));
    if (!wrong) order(cuda.t, cuda.s);
    CUDA_OK(launch(cuda.a, cuda.b, cuda.t));
}

static void read_by_the_host(bool wrong) {
    CUDA_OK(launch(cuda.managed, cuda.b, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *cuda_at(cuda.managed, 5);
}

/* cuMemFree waits for the work that uses what it frees; of a pool it does not. */
static void freed_behind_it(bool wrong) {
    CUdeviceptr memory, other;
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    CUDA_OK(cuMemAlloc(&other, BYTES));
    CUDA_OK(launch(memory, other, cuda.s));
    CUDA_OK(cuMemFree(other)); /* and with it the allocation has been waited for */
    CUDA_OK(launch(memory, 0, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemFree(memory));
}

static void freed_in_the_order_of_another_stream(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(launch(memory, cuda.b, cuda.s));
    CUDA_OK(cuMemFreeAsync(memory, wrong ? cuda.t : cuda.s));
}

/* What is in a structure may be a pointer, too. */
static void given_within_a_structure(bool wrong) {
    struct {
        unsigned n;
        float by;
        CUdeviceptr memory[2];
    } all = {1, 2, {0, cuda.a}};
    size_t bytes = sizeof all;
    void *extra[] = {(void *)1, &all, (void *)2, &bytes, NULL};
    CUlaunchConfig config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .stream = cuda.s};
    CUDA_OK(cuLaunchKernelEx(&config, within, NULL, extra));
    if (!wrong) order(cuda.t, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, BYTES, cuda.t));
}

/* Where it would be among all parameters, and not among the structure's own bytes. */
static void given_where_pointers_are(bool wrong) {
    unsigned n = 1, all[5] = {0};
    void *arguments[] = {&n, all};
    CUdeviceptr memory[] = {cuda.a, cuda.b};
    memcpy(&all[1], memory, sizeof memory);
    CUDA_OK(cuLaunchKernel(behind, 1, 1, 1, 1, 1, 1, 0, cuda.s, arguments, NULL));
    if (!wrong) order(cuda.t, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, BYTES, cuda.t));
}

/* All parameters as one: each lies at its own place. */
static void given_behind_another(bool wrong) {
    struct {
        CUdeviceptr out, in;
        float by;
        unsigned n;
    } all = {cuda.a, cuda.b, 2, BYTES};
    size_t bytes = sizeof all;
    void *extra[] = {(void *)1, &all, (void *)2, &bytes, NULL};
    CUDA_OK(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, cuda.s, NULL, extra));
    if (!wrong) order(cuda.t, cuda.s);
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, BYTES, cuda.t));
}

static void in_the_default_stream(bool wrong) {
    CUstream stream;
    CUDA_OK(cuStreamCreate(&stream, wrong ? CU_STREAM_NON_BLOCKING : 0));
    CUDA_OK(launch(cuda.a, cuda.b, NULL));
    CUDA_OK(cuMemcpyDtoDAsync(cuda.b, cuda.a, BYTES, stream));
    CUDA_OK(cuStreamDestroy(stream));
}

static void given_what_was_freed(bool wrong) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAlloc(&memory, BYTES));
    if (wrong) CUDA_OK(cuMemFree(memory));
    CUDA_OK(launch(memory, cuda.b, cuda.s));
    if (!wrong) CUDA_OK(cuMemFree(memory));
}

static void a_kernel_of_no_module(bool wrong) {
    CUmodule other;
    CUfunction function;
    CUDA_OK(cuModuleLoadData(&other, text));
    CUDA_OK(cuModuleGetFunction(&function, other, "idle"));
    if (wrong) CUDA_OK(cuModuleUnload(other));
    CUDA_ANSWERS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, cuda.s, NULL, NULL),
                 wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
    if (!wrong) CUDA_OK(cuModuleUnload(other));
}

static void a_module_as_kernel(bool wrong) {
    CUfunction function = wrong ? (CUfunction)(void *)module : idle;
    CUDA_ANSWERS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, cuda.s, NULL, NULL),
                 wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

static const struct sim_pair pairs[] = {
    {copied_behind_it, "launch-unordered"},
    {filled_before_it, "launch-unordered"},
    {read_by_the_host, "launch-unordered"},
    {freed_behind_it, "launch-unordered"},
    {freed_in_the_order_of_another_stream, "launch-unordered"},
    {given_within_a_structure, "launch-unordered"},
    {given_where_pointers_are, "launch-unordered"},
    {given_behind_another, "launch-unordered"},
    {in_the_default_stream, "launch-unordered"},
    {given_what_was_freed, "launch-unordered"},
    {a_kernel_of_no_module, "use-after-destroy"},
    {a_module_as_kernel, "bad-handle"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE);
}
END_TEST

/* ---- what is refused ---- */

static void launch_wrongly(void) {
    CUcontext other;
    CUlibrary library;
    CUkernel kernel;
    CUlaunchConfig config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .n_attributes = 1};
    void *none[] = {NULL, NULL, NULL, NULL}, *empty[] = {NULL};
    char all[24] = "";
    void *wild[] = {all, (void *)8, all, all};
    size_t bytes = sizeof all - 1;
    void *extra[] = {(void *)1, all, (void *)2, &bytes, NULL};
    begin();
    CUDA_ANSWERS(cuLaunchKernel(idle, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(idle, 1, 1, 1, 64, 32, 1, 0, NULL, NULL, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 49153, NULL, NULL, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 0, NULL, none, empty),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, none, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, empty),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, wild, NULL),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernelEx(NULL, idle, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuLaunchKernelEx(&config, idle, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 49152, cuda.s, NULL, NULL));
    CUDA_OK(cuLaunchCooperativeKernel(idle, 1, 1, 1, 1, 1, 1, 0, cuda.s, NULL));
    /* A kernel of a library is called in any context, a function of a module in the module's. */
    CUDA_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CUDA_OK(cuLibraryGetKernel(&kernel, library, "idle"));
    CUDA_OK(cuCtxCreate(&other, 0, 0));
    CUDA_ANSWERS(cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                 CUDA_ERROR_INVALID_HANDLE);
    CUDA_OK(cuLaunchKernel((CUfunction)(void *)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CUDA_OK(cuCtxDestroy(other));
    CUDA_OK(cuLaunchKernel((CUfunction)(void *)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CUDA_OK(cuLibraryUnload(library));
    end();
}

START_TEST(launches_that_cannot_be_are_refused)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(launch_wrongly, 1);
}
END_TEST

static void launch_as_asked(void) {
    begin();
    CUDA_OK(launch(cuda.a, cuda.b, cuda.s));
    CUDA_OK(launch(cuda.a, cuda.b, cuda.s));
    end();
}

START_TEST(the_first_says_that_nothing_is_computed)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    char *log = sim_play(launch_as_asked, sim_way_at(0), 0);
    ck_assert_uint_eq(sim_count_text(log, "kernels are opaque: none computes anything"), 1);
    ck_assert_uint_eq(sim_count_text(log, "\"may_use\":\"allocation 1\""), 2);
    ck_assert_uint_eq(sim_count_text(log, "\"may_use\":\"allocation 2\""), 2);
    free(log);
}
END_TEST

static void load_without_the_setting(void) {
    CUmodule none;
    cuda_scene_begin();
    CUDA_ANSWERS(cuModuleLoadData(&none, text), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, cuda.s, NULL, NULL),
                 CUDA_ERROR_NOT_SUPPORTED);
    cuda_scene_end();
}

START_TEST(without_the_setting_kernels_are_refused)
{
    sim_expect(load_without_the_setting,
               "\"remark\":\"cuModuleLoadData\",\"text\":\"kernels do not run",
               "\"remark\":\"cuLaunchKernel\",\"text\":\"kernels do not run", NULL);
}
END_TEST

Suite *sim_cuda_launches_suite(void) {
    Suite *suite = suite_create("sim_cuda_launches");
    TCase *tests = tcase_create("launches");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, launches_that_cannot_be_are_refused);
    tcase_add_test(tests, the_first_says_that_nothing_is_computed);
    tcase_add_test(tests, without_the_setting_kernels_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
