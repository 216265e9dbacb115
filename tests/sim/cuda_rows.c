/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in rows on the simulated CUDA driver: what is allocated and copied so, and what the driver
 * knows of memory of the host. What it answers an H100 was asked for.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_rows_suite(void);

#define WIDTH  100
#define HEIGHT 7

static CUdeviceptr rows;
static size_t pitch;
static char in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
static volatile char sink;

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuMemAllocPitch(&rows, &pitch, WIDTH, HEIGHT, 4));
    CUDA_OK(cuMemsetD8(rows, 1, pitch * HEIGHT));
    CUDA_OK(cuCtxSynchronize());
    for (size_t i = 0; i < HEIGHT * WIDTH; i++) in[i / WIDTH][i % WIDTH] = (char)i;
}

static void end(void) {
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemFree(rows));
    cuda_scene_end();
}

static CUDA_MEMCPY2D copy_in(void) {
    return (CUDA_MEMCPY2D){
        .from = {.type = CU_MEMORYTYPE_HOST, .host = in, .pitch = WIDTH},
        .to = {.type = CU_MEMORYTYPE_DEVICE, .device = rows, .pitch = pitch},
        .width = WIDTH,
        .height = HEIGHT,
    };
}

static CUDA_MEMCPY2D copy_to(void *to) {
    return (CUDA_MEMCPY2D){
        .from = {.type = CU_MEMORYTYPE_DEVICE, .device = rows, .pitch = pitch},
        .to = {.type = CU_MEMORYTYPE_HOST, .host = to, .pitch = WIDTH},
        .width = WIDTH,
        .height = HEIGHT,
    };
}

/* ---- used rightly and wrongly ---- */

static void read_before_the_wait(bool wrong) {
    const CUDA_MEMCPY2D copy = copy_to(cuda.pinned);
    CUDA_OK(cuMemcpy2DAsync(&copy, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = cuda.pinned[WIDTH + 3];
}

/* Columns of the same rows by two streams: those that are next to each other, or one in common. */
static void columns_by_two_streams(bool wrong) {
    CUDA_MEMCPY2D left = copy_in(), right = copy_in();
    left.width = wrong ? 11 : 10;
    right.from.x = right.to.x = 10;
    right.width = 5;
    CUDA_OK(cuMemcpy2DAsync(&left, cuda.s));
    CUDA_OK(cuMemcpy2DAsync(&right, cuda.t));
}

/* What goes beyond the end is refused before anything is copied. */
static void beyond_the_end(bool wrong) {
    CUDA_MEMCPY2D copy = copy_in(), back = copy_to(out);
    if (wrong) copy.to.y = 1;
    CUDA_ANSWERS(cuMemcpy2D(&copy), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    CUDA_OK(cuMemcpy2D(&back));
    SIM_WANT(out[2][2] == (wrong ? 1 : in[2][2]));
}

static void memory_of_the_program_as_the_devices(bool wrong) {
    CUDA_MEMCPY2D copy = copy_in();
    copy.from.type = wrong ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    copy.from.device = (uintptr_t)in;
    CUDA_ANSWERS(cuMemcpy2D(&copy), wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

static const struct sim_pair pairs[] = {
    {read_before_the_wait, "touched-before-wait"},
    {columns_by_two_streams, "race"},
    {beyond_the_end, "out-of-bounds"},
    {memory_of_the_program_as_the_devices, "not-allocated"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE); }
END_TEST

/* ---- what comes of it ---- */

static void there_and_back(void) {
    CUgraph graph;
    CUgraphExec exec;
    begin();
    CUDA_MEMCPY2D copy = copy_in(), back = copy_to(out);
    CUDA_OK(cuMemcpy2D(&copy));
    CUDA_OK(cuMemcpy2DUnaligned(&back));
    SIM_WANT(memcmp(in, out, sizeof in) == 0);
    memset(out, 0, sizeof out);
    back.to.x = back.from.x = 3;
    back.to.y = back.from.y = 2;
    back.width = 5;
    back.height = 2;
    CUDA_OK(cuStreamBeginCapture_v2(cuda.s, 0));
    CUDA_OK(cuMemcpy2DAsync(&back, cuda.s));
    CUDA_OK(cuStreamEndCapture(cuda.s, &graph));
    CUDA_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA_OK(cuGraphLaunch(exec, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(out[2][3] == in[2][3] && out[3][7] == in[3][7] && out[2][8] == 0 && out[4][3] == 0);
    CUDA_OK(cuGraphExecDestroy(exec));
    CUDA_OK(cuGraphDestroy(graph));
    end();
}

START_TEST(rows_are_copied)
{ sim_goes_well(there_and_back, sim_ways()); }
END_TEST

static void ask(void) {
    CUDA_MEMCPY2D copy;
    size_t wide = 0;
    CUdeviceptr other;
    begin();
    SIM_WANT(pitch == 512);
    CUDA_OK(cuMemAllocPitch(&other, &wide, 513, 1, 16));
    SIM_WANT(wide == 1024);
    CUDA_OK(cuMemFree(other));
    CUDA_ANSWERS(cuMemAllocPitch(&other, &wide, 0, 1, 4), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAllocPitch(&other, &wide, 1, 0, 4), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAllocPitch(&other, &wide, 1, 1, 3), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAllocPitch(&other, &wide, SIZE_MAX, 1, 4), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_ANSWERS(cuMemAllocPitch(&other, &wide, 1, SIZE_MAX, 4), CUDA_ERROR_OUT_OF_MEMORY);
    copy = copy_in();
    copy.from.pitch = WIDTH - 1;
    CUDA_ANSWERS(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    copy = copy_in();
    copy.to.x = pitch - WIDTH + 1;
    CUDA_ANSWERS(cuMemcpy2DAsync(&copy, cuda.s), CUDA_ERROR_INVALID_VALUE);
    copy = copy_in();
    copy.height = SIZE_MAX; /* which leads back to the first row but one, by numbers that wrap */
    CUDA_ANSWERS(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    copy.height = 2;
    copy.from.y = SIZE_MAX;
    CUDA_ANSWERS(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    copy = copy_in();
    copy.to.type = 5;
    CUDA_ANSWERS(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    copy.to.type = CU_MEMORYTYPE_ARRAY;
    CUDA_ANSWERS(cuMemcpy2D(&copy), CUDA_ERROR_NOT_SUPPORTED);
    copy = copy_in();
    copy.width = 0;
    CUDA_OK(cuMemcpy2D(&copy));
    copy = copy_in();
    copy.height = 0;
    CUDA_OK(cuMemcpy2DAsync(&copy, cuda.s));
    CUDA_ANSWERS(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    end();
}

static void ask_for_flags(void) {
    char *combined;
    unsigned flags;
    uint64_t types = 1;
    begin();
    CUDA_OK(cuMemHostAlloc((void **)&combined, 64, 4 | 1));
    CUDA_OK(cuMemHostGetFlags(&flags, combined + 5));
    SIM_WANT(flags == 6);
    CUDA_OK(cuMemFreeHost(combined));
    CUDA_OK(cuMemHostGetFlags(&flags, cuda.pinned));
    SIM_WANT(flags == 2);
    CUDA_OK(cuMemHostRegister(out, sizeof out, 1));
    CUDA_OK(cuMemHostGetFlags(&flags, out));
    SIM_WANT(flags == 2);
    CUDA_OK(cuMemHostUnregister(out));
    CUDA_ANSWERS(cuMemHostGetFlags(&flags, out), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemHostGetFlags(&flags, (void *)(uintptr_t)rows), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemHostGetFlags(NULL, cuda.pinned), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuPointerGetAttribute(&types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, rows));
    SIM_WANT(types == 0);
    end();
}

START_TEST(it_is_answered_as_a_driver_does)
{
    static void (*const programs[])(void) = {ask, ask_for_flags};
    sim_goes_well(programs[_i], 1);
}
END_TEST

Suite *sim_cuda_rows_suite(void) {
    Suite *suite = suite_create("sim_cuda_rows");
    TCase *tests = tcase_create("rows");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, rows_are_copied);
    tcase_add_loop_test(tests, it_is_answered_as_a_driver_does, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
