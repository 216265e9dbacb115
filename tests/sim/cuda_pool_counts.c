/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of the simulated CUDA driver that go before what was allocated from them, and what goes
 * with its context.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_pool_counts_suite(void);

#define BYTES CUDA_BYTES

static CUmemoryPool make(size_t most) {
    CUmemPoolProps wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                             .most = most};
    CUmemoryPool made = NULL;
    CUDA_OK(cuMemPoolCreate(&made, &wanted));
    return made;
}

static uint64_t said(CUmemoryPool of, int attribute) {
    uint64_t value = 0;
    CUDA_OK(cuMemPoolGetAttribute(of, attribute, &value));
    return value;
}

/* Its place is another's once all of its allocations have gone, and not before. */
static void use_many(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    for (int i = 0; i < 300; i++) {
        CUmemoryPool pool = make(0), next;
        CUDA_OK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, cuda.s));
        CUDA_OK(cuMemPoolDestroy(pool));
        next = make(0);
        SIM_WANT(said(next, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
        CUDA_OK(cuMemFreeAsync(memory, cuda.s));
        SIM_WANT(said(next, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
        CUDA_OK(cuMemPoolDestroy(next));
    }
    cuda_scene_end();
}

START_TEST(a_pool_that_is_gone_has_its_allocations)
{ sim_goes_well(use_many, 1); }
END_TEST

/* What went with its context is room again. */
static void lose_a_context(void) {
    CUcontext context;
    CUdeviceptr memory;
    CUstream stream;
    cuda_scene_begin();
    CUmemoryPool pool = make(2 * BYTES);
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, 2 * BYTES, pool, stream));
    CUDA_ANSWERS(cuMemAllocFromPoolAsync(&memory, BYTES, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_OK(cuCtxDestroy(context));
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, 2 * BYTES, pool, cuda.s));
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    CUDA_OK(cuMemPoolDestroy(pool));
    cuda_scene_end();
}

/* Nor is it kept, when a pool that keeps all it can is trimmed. */
static void trim_what_was_lost(void) {
    CUcontext context;
    CUdeviceptr memory;
    CUstream stream;
    uint64_t all = UINT64_MAX;
    cuda_scene_begin();
    CUmemoryPool pool = make(0);
    CUDA_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, stream));
    CUDA_OK(cuCtxDestroy(context));
    CUDA_OK(cuMemPoolTrimTo(pool, 0));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    CUDA_OK(cuMemPoolDestroy(pool));
    cuda_scene_end();
}

START_TEST(what_went_with_its_context_is_not_counted)
{
    sim_goes_well(lose_a_context, 1);
    sim_goes_well(trim_what_was_lost, 1);
}
END_TEST

static void ask_for_an_int(void) {
    int value[2] = {-1, -1};
    cuda_scene_begin();
    CUmemoryPool pool = make(0);
    CUDA_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, value));
    SIM_WANT(value[0] == 1 && value[1] == -1);
    CUDA_OK(cuMemPoolDestroy(pool));
    cuda_scene_end();
}

START_TEST(an_int_is_no_more_than_one)
{ sim_goes_well(ask_for_an_int, 1); }
END_TEST

Suite *sim_cuda_pool_counts_suite(void) {
    Suite *suite = suite_create("sim_cuda_pool_counts");
    TCase *tests = tcase_create("counts");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_pool_that_is_gone_has_its_allocations);
    tcase_add_test(tests, what_went_with_its_context_is_not_counted);
    tcase_add_test(tests, an_int_is_no_more_than_one);
    suite_add_tcase(suite, tests);
    return suite;
}
