/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice about managed memory, and what the simulated CUDA driver says of it.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_managed_suite(void);

#define PAGES 4

static CUdeviceptr memory;
static size_t page;

static const CUmemLocation nowhere = {CU_MEM_LOCATION_TYPE_INVALID, 0},
                           on_host = {CU_MEM_LOCATION_TYPE_HOST, 7},
                           on_node = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0},
                           on_no_node = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 1},
                           on_this_node = {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 9},
                           on_second = {CU_MEM_LOCATION_TYPE_DEVICE, 1},
                           on_third = {CU_MEM_LOCATION_TYPE_DEVICE, 2};

static void begin(void) {
    cuda_scene_begin();
    page = sim_page_bytes();
    CUDA_OK(cuMemAllocManaged(&memory, PAGES * page, CU_MEM_ATTACH_GLOBAL));
}

static void end(void) {
    CUDA_OK(cuMemFree(memory));
    cuda_scene_end();
}

/* Of some pages. */
static int said(int attribute, size_t first, size_t n) {
    int value = 77;
    CUDA_OK(
        cuMemRangeGetAttribute(&value, sizeof value, attribute, memory + first * page, n * page));
    return value;
}

static void advise_pages(void) {
    begin();
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, PAGES) == 0);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, PAGES) == CU_DEVICE_INVALID);
    CUDA_OK(cuMemAdvise_v2(memory, 2 * page, CU_MEM_ADVISE_SET_READ_MOSTLY, nowhere));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, 2) == 1);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1, 2) == 0);
    CUDA_OK(cuMemAdvise(memory + 5, 1, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 55)); /* a whole page */
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, 1) == 0);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1, 1) == 1);
    CUDA_OK(cuMemAdvise(memory, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 1));
    CUDA_OK(cuMemAdvise(memory + page, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 1) == 1);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 1, 1) == CU_DEVICE_CPU);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 2) == CU_DEVICE_INVALID);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, 1) ==
             CU_MEM_LOCATION_TYPE_DEVICE);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, 0, 1) == 1);
    CUDA_OK(cuMemAdvise_v2(memory, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, on_this_node));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, 1) ==
             CU_MEM_LOCATION_TYPE_HOST_NUMA);
    CUDA_OK(cuMemAdvise_v2(memory, page, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, on_third));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, 1) ==
             CU_MEM_LOCATION_TYPE_INVALID);
    end();
}

static void list_processors(void) {
    int by[4];
    begin();
    CUDA_OK(cuMemAdvise(memory, 2 * page, CU_MEM_ADVISE_SET_ACCESSED_BY, 1));
    CUDA_OK(cuMemAdvise_v2(memory, page, CU_MEM_ADVISE_SET_ACCESSED_BY, on_host));
    CUDA_OK(cuMemRangeGetAttribute(by, 12, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, page));
    SIM_WANT(by[0] == CU_DEVICE_CPU && by[1] == 1 && by[2] == CU_DEVICE_INVALID);
    CUDA_OK(cuMemRangeGetAttribute(by, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 2 * page));
    SIM_WANT(by[0] == 1 && by[1] == CU_DEVICE_INVALID);
    CUDA_OK(cuMemAdvise(memory, page, CU_MEM_ADVISE_UNSET_ACCESSED_BY, 1));
    CUDA_OK(cuMemRangeGetAttribute(by, 4, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, page));
    SIM_WANT(by[0] == CU_DEVICE_CPU);
    CUDA_ANSWERS(cuMemRangeGetAttribute(by, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, page),
                 CUDA_ERROR_INVALID_VALUE);
    end();
}

/* Whoever uses the memory meanwhile, it is no access. */
static void prefetch_pages(void) {
    begin();
    CUDA_OK(cuMemPrefetchAsync(memory, PAGES * page, 1, cuda.s));
    *cuda_at(memory, 3) = 1;
    CUDA_OK(cuMemsetD8Async(memory, 2, PAGES * page, cuda.t));
    CUDA_OK(cuMemPrefetchAsync_v2(memory, page, on_host, 0, cuda.s));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 1) == CU_DEVICE_CPU);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 1, 3) == 1);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 4) == CU_DEVICE_INVALID);
    CUDA_OK(cuMemPrefetchAsync_v2_ptsz(memory, page, on_node, 0, NULL));
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, 0, 1) ==
             CU_MEM_LOCATION_TYPE_HOST_NUMA);
    SIM_WANT(said(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, 0, 1) == 0);
    CUDA_OK(cuStreamSynchronize(cuda.t));
    SIM_WANT(*cuda_at(memory, 3) == 2);
    end();
}

static void ask_for_several(void) {
    int mostly = 7, by[2] = {7, 7},
        attributes[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
    void *values[] = {&mostly, by};
    size_t rooms[] = {sizeof mostly, sizeof by};
    begin();
    CUDA_OK(cuMemRangeGetAttributes(values, rooms, attributes, 2, memory, page));
    SIM_WANT(mostly == 0 && by[0] == CU_DEVICE_INVALID && by[1] == CU_DEVICE_INVALID);
    attributes[1] = 99;
    CUDA_ANSWERS(cuMemRangeGetAttributes(values, rooms, attributes, 2, memory, page),
                 CUDA_ERROR_INVALID_VALUE);
    end();
}

/* The next allocation in the same place has none of what was said of the one before. */
static void forget_what_has_gone(void) {
    CUdeviceptr other;
    begin();
    for (int i = 0; i < 5000; i++) { /* further than the quarantine */
        CUDA_OK(cuMemAllocManaged(&other, page, CU_MEM_ATTACH_GLOBAL));
        int value = 7;
        CUDA_OK(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, other, page));
        SIM_WANT(value == 0);
        CUDA_OK(cuMemAdvise_v2(other, page, CU_MEM_ADVISE_SET_READ_MOSTLY, nowhere));
        CUDA_OK(cuMemFree(other));
    }
    end();
}

static void refuse(void) {
    int value;
    begin();
    CUDA_ANSWERS(cuMemAdvise_v2(cuda.a, 8, CU_MEM_ADVISE_SET_READ_MOSTLY, nowhere),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAdvise(memory, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAdvise(memory, page, 7, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAdvise(memory, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 2),
                 CUDA_ERROR_INVALID_DEVICE);
    CUDA_ANSWERS(cuMemAdvise_v2(memory, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, on_no_node),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemAdvise_v2(memory, page, CU_MEM_ADVISE_SET_ACCESSED_BY, on_node),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPrefetchAsync_v2(memory, page, on_third, 0, cuda.s),
                 CUDA_ERROR_INVALID_DEVICE);
    CUDA_ANSWERS(cuMemPrefetchAsync_v2(memory, page, on_second, 1, cuda.s),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPrefetchAsync_v2(memory, page, nowhere, 0, cuda.s), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPrefetchAsync((uintptr_t)cuda.pinned, 8, 0, cuda.s),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemRangeGetAttribute(&value, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 8),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemRangeGetAttribute(&value, 4, 9, memory, 8), CUDA_ERROR_INVALID_VALUE);
    end();
}

static void (*const programs[])(void) = {
    advise_pages, list_processors, prefetch_pages, ask_for_several, forget_what_has_gone, refuse,
};

START_TEST(what_is_said_of_managed_memory_is_kept_in_mind)
{ sim_goes_well(programs[_i], 3); }
END_TEST

/* ---- memory that has gone, and more of it than there is ---- */

static void advise_freed_memory(bool wrong) {
    CUdeviceptr other;
    CUDA_OK(cuMemAllocManaged(&other, 64, CU_MEM_ATTACH_GLOBAL));
    if (wrong) CUDA_OK(cuMemFree(other));
    CUresult code = cuMemAdvise_v2(other, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, nowhere);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    if (!wrong) CUDA_OK(cuMemFree(other));
}

static void prefetch_freed_memory(bool wrong) {
    CUdeviceptr other;
    CUDA_OK(cuMemAllocManaged(&other, 64, CU_MEM_ATTACH_GLOBAL));
    if (wrong) CUDA_OK(cuMemFree(other));
    CUresult code = cuMemPrefetchAsync(other, 64, 0, cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    if (!wrong) CUDA_OK(cuMemFree(other));
}

static void prefetch_beyond_the_end(bool wrong) {
    CUresult code = cuMemPrefetchAsync(cuda.managed, CUDA_BYTES + wrong, 0, cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
}

static const struct sim_pair pairs[] = {
    {advise_freed_memory, "use-after-free"},
    {prefetch_freed_memory, "use-after-free"},
    {prefetch_beyond_the_end, "out-of-bounds"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_tells_apart(&pairs[_i], cuda_scene_begin, cuda_scene_end, 1);
}
END_TEST

Suite *sim_cuda_managed_suite(void) {
    Suite *suite = suite_create("sim_cuda_managed");
    TCase *tests = tcase_create("managed");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, what_is_said_of_managed_memory_is_kept_in_mind, 0,
                        (int)(sizeof programs / sizeof *programs));
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
