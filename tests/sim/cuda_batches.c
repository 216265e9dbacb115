/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies on the simulated CUDA driver: their order is that of the stream, and none among
 * themselves.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_batches_suite(void);

#define BYTES CUDA_BYTES
#define HALF  (BYTES / 2)

static volatile char sink;
static char host[BYTES];

static CUmemcpyAttributes in_order = {.order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM},
                          at_once = {.order = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL},
                          in_any = {.order = CU_MEMCPY_SRC_ACCESS_ORDER_ANY};

/* A copy of a batch. */
struct one {
    CUdeviceptr to, from;
    size_t bytes;
};

/* All of one kind. */
static CUresult copy(const struct one *copies, size_t n, CUmemcpyAttributes kind, CUstream stream) {
    CUdeviceptr to[4], from[4];
    size_t sizes[4], first = 0;
    for (size_t i = 0; i < n; i++) {
        to[i] = copies[i].to;
        from[i] = copies[i].from;
        sizes[i] = copies[i].bytes;
    }
    return cuMemcpyBatchAsync_v2(to, from, sizes, n, &kind, &first, 1, stream);
}

#define COPY(kind, stream, ...)                                                                    \
    copy((const struct one[]){__VA_ARGS__},                                                        \
         sizeof((const struct one[]){__VA_ARGS__}) / sizeof(struct one), kind, stream)

static CUdeviceptr at_host(size_t offset) {
    return (uintptr_t)host + offset;
}

/* ---- used rightly ---- */

static void copy_in_parts(void) {
    cuda_scene_begin();
    CUdeviceptr pinned = (uintptr_t)cuda.pinned;
    memset(host, 1, HALF);
    memset(cuda.pinned, 2, BYTES);
    CUDA_OK(cuMemsetD8Async(cuda.b, 3, BYTES, cuda.s)); /* before the batch */
    CUDA_OK(COPY(in_order, cuda.s, {cuda.a, at_host(0), HALF}, {cuda.a + HALF, pinned, HALF / 2},
                 {cuda.a + HALF + HALF / 2, cuda.b, HALF / 2}, {cuda.b, cuda.a, 0}));
    CUDA_OK(cuMemsetD8Async(cuda.b, 4, BYTES, cuda.s)); /* behind it */
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(cuda.pinned[0] == 1 && cuda.pinned[HALF - 1] == 1 && cuda.pinned[HALF] == 2);
    SIM_WANT(cuda.pinned[HALF + HALF / 2 - 1] == 2 && cuda.pinned[BYTES - 1] == 3);
    cuda_scene_end();
}

/* A source that is read during the call is the program's again, and the others are not. */
static void read_at_once(void) {
    char own[64];
    cuda_scene_begin();
    memset(own, 5, sizeof own);
    memset(cuda.pinned, 6, BYTES);
    CUDA_OK(COPY(at_once, cuda.s, {cuda.a, (uintptr_t)own, 64},
                 {cuda.a + 64, (uintptr_t)cuda.pinned, 64}));
    memset(own, 7, sizeof own);
    memset(cuda.pinned, 7, BYTES);
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.a, 128, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(host[0] == 5 && host[64] == 6);
    CUDA_OK(COPY(in_any, CU_STREAM_PER_THREAD, {cuda.b, at_host(0), 128}));
    CUDA_OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    cuda_scene_end();
}

static void with_several_kinds(void) {
    CUdeviceptr to[] = {cuda.a, 0, 0}, from[3];
    size_t sizes[] = {8, 8, 8}, firsts[] = {0, 2}, failed = 7;
    CUmemcpyAttributes kinds[] = {in_order, in_any};
    cuda_scene_begin();
    for (size_t i = 0; i < 3; i++) {
        to[i] = cuda.a + 8 * i;
        from[i] = cuda.b + 8 * i;
    }
    kinds[1].flags = CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
    CUDA_OK(cuMemcpyBatchAsync(to, from, sizes, 3, kinds, firsts, 2, &failed, cuda.s));
    CUDA_OK(cuMemcpyBatchAsync_ptsz(to, from, sizes, 3, kinds, firsts, 2, NULL, cuda.s));
    cuda_scene_end();
}

static void refuse(void) {
    CUdeviceptr to[2], from[2];
    size_t sizes[] = {8, 8}, firsts[] = {0, 1}, failed = 0;
    CUmemcpyAttributes kinds[] = {in_order, in_order}, none = {0};
    cuda_scene_begin();
    for (size_t i = 0; i < 2; i++) {
        to[i] = cuda.a + 8 * i;
        from[i] = cuda.b + 8 * i;
    }
#define REFUSED(n, attributes, n_attributes, stream)                                               \
    CUDA_ANSWERS(                                                                                  \
        cuMemcpyBatchAsync(to, from, sizes, n, attributes, firsts, n_attributes, &failed, stream), \
        CUDA_ERROR_INVALID_VALUE);                                                                 \
    SIM_WANT(failed == SIZE_MAX)
    REFUSED(2, kinds, 1, NULL);
    REFUSED(2, kinds, 1, CU_STREAM_LEGACY);
    REFUSED(0, kinds, 1, cuda.s);
    REFUSED(2, kinds, 0, cuda.s);
    REFUSED(1, kinds, 2, cuda.s);
    REFUSED(2, &none, 1, cuda.s);
    none = (CUmemcpyAttributes){.order = CU_MEMCPY_SRC_ACCESS_ORDER_ANY, .flags = 2};
    REFUSED(2, &none, 1, cuda.s);
    firsts[1] = 0;
    REFUSED(2, kinds, 2, cuda.s);
    firsts[0] = firsts[1] = 1;
    REFUSED(2, kinds, 1, cuda.s);
    cuda_scene_end();
}

static void (*const programs[])(void) = {copy_in_parts, read_at_once, with_several_kinds, refuse};

START_TEST(a_batch_is_in_the_order_of_its_stream)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_goes_well(programs[_i], sim_ways());
}
END_TEST

/* ---- and wrongly ---- */

static void dependent_copies(bool wrong) {
    CUDA_OK(
        COPY(in_order, cuda.s, {cuda.b, cuda.a, HALF}, {cuda.managed, cuda.b + HALF - wrong, 64}));
    CUDA_OK(cuStreamSynchronize(cuda.s));
}

static void one_target_twice(bool wrong) {
    CUDA_OK(COPY(in_order, cuda.s, {cuda.b, cuda.a, 64}, {cuda.b + 64 - wrong, cuda.a, 64}));
}

static void on_another_stream(bool wrong) {
    CUDA_OK(COPY(in_order, cuda.s, {cuda.b, cuda.a, 64}));
    CUDA_OK(cuMemsetD8Async(cuda.b, 1, 64, wrong ? cuda.t : cuda.s));
}

static void behind_another_stream(bool wrong) {
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, 64, wrong ? cuda.t : cuda.s));
    CUDA_OK(COPY(in_order, cuda.s, {cuda.b, cuda.a, 64}));
}

static void source_written_early(bool wrong) {
    CUDA_OK(COPY(wrong ? in_order : at_once, cuda.s, {cuda.a, (uintptr_t)cuda.pinned, 64}));
    *cuda_at((uintptr_t)cuda.pinned, 3) = 1;
}

static void target_read_early(bool wrong) {
    CUDA_OK(COPY(in_order, cuda.s, {(uintptr_t)cuda.pinned, cuda.a, 64}));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *cuda_at((uintptr_t)cuda.pinned, 3);
}

/* The one before it has been queued. */
static void one_beyond_the_end(bool wrong) {
    CUdeviceptr to[] = {cuda.b, cuda.b + 64}, from[] = {cuda.a, cuda.a + 64};
    size_t sizes[] = {64, wrong ? BYTES : 64}, first = 0, failed = 7;
    CUresult code = cuMemcpyBatchAsync(to, from, sizes, 2, &in_order, &first, 1, &failed, cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    SIM_WANT(failed == (wrong ? 1 : SIZE_MAX));
}

static const struct sim_pair pairs[] = {
    {dependent_copies, "race"},
    {one_target_twice, "race"},
    {on_another_stream, "race"},
    {behind_another_stream, "race"},
    {source_written_early, "touched-before-wait"},
    {target_read_early, "touched-before-wait"},
    {one_beyond_the_end, "out-of-bounds"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_tells_apart(&pairs[_i], cuda_scene_begin, cuda_scene_end, SIM_AT_LEAST_ONCE);
}
END_TEST

Suite *sim_cuda_batches_suite(void) {
    Suite *suite = suite_create("sim_cuda_batches");
    TCase *tests = tcase_create("batches");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_batch_is_in_the_order_of_its_stream, 0,
                        (int)(sizeof programs / sizeof *programs));
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
