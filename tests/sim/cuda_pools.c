/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of the simulated CUDA driver.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_pools_suite(void);

#define BYTES CUDA_BYTES

static CUmemoryPool pool;
static volatile char sink;

static CUmemPoolProps on_device(int device) {
    return (CUmemPoolProps){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
}

static CUmemoryPool make(int device) {
    CUmemPoolProps wanted = on_device(device);
    CUmemoryPool made = NULL;
    CUDA_OK(cuMemPoolCreate(&made, &wanted));
    return made;
}

static void begin(void) {
    cuda_scene_begin();
    pool = make(0);
}

static void end(void) {
    CUDA_OK(cuMemPoolDestroy(pool));
    cuda_scene_end();
}

static CUdeviceptr take(size_t bytes) {
    CUdeviceptr memory;
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, bytes, pool, cuda.s));
    return memory;
}

static uint64_t said(CUmemoryPool of, int attribute) {
    uint64_t value = 0; /* what is an int is its first half */
    CUDA_OK(cuMemPoolGetAttribute(of, attribute, &value));
    return value;
}

static void set(int attribute, uint64_t value) {
    CUDA_OK(cuMemPoolSetAttribute(pool, attribute, &value));
}

/* ---- used rightly ---- */

static void allocate_from_pools(void) {
    CUdeviceptr one, other;
    CUmemoryPool of;
    begin();
    one = take(BYTES);
    CUDA_OK(cuMemAllocFromPoolAsync_ptsz(&other, BYTES, pool, NULL));
    CUDA_OK(cuMemsetD8Async(one, 7, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, one, BYTES, cuda.s));
    CUDA_OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, one + 1));
    SIM_WANT(of == pool);
    CUDA_OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, cuda.a));
    SIM_WANT(of == NULL);
    CUDA_OK(cuMemFreeAsync(one, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(cuda.pinned[BYTES - 1] == 7);
    CUDA_OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    CUDA_OK(cuMemFree(other));
    end();
}

static void choose_the_current_pool(void) {
    CUmemLocation at = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool first, second, of;
    CUdeviceptr memory;
    begin();
    CUDA_OK(cuDeviceGetDefaultMemPool(&first, 0));
    CUDA_OK(cuDeviceGetMemPool(&of, 0));
    CUDA_OK(cuDeviceGetDefaultMemPool(&second, 1));
    SIM_WANT(first == of && first != second && first != pool);
    CUDA_OK(cuDeviceSetMemPool(0, pool));
    CUDA_OK(cuDeviceGetMemPool(&of, 0));
    SIM_WANT(of == pool);
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == BYTES);
    SIM_WANT(said(first, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    CUDA_ANSWERS(cuDeviceSetMemPool(1, pool), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemSetMemPool(&at, CU_MEM_ALLOCATION_TYPE_PINNED, first));
    CUDA_OK(cuMemGetMemPool(&of, &at, CU_MEM_ALLOCATION_TYPE_PINNED));
    SIM_WANT(of == first);
    CUDA_OK(cuMemAllocAsync(&memory, BYTES, cuda.s));
    SIM_WANT(said(first, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == BYTES);
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    CUDA_OK(cuMemGetDefaultMemPool(&of, &at, CU_MEM_ALLOCATION_TYPE_PINNED));
    SIM_WANT(of == first);
    CUDA_ANSWERS(cuMemPoolDestroy(first), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuDeviceSetMemPool(0, pool)); /* whose end makes the default one current */
    CUDA_OK(cuMemPoolDestroy(pool));
    CUDA_OK(cuDeviceGetMemPool(&of, 0));
    SIM_WANT(of == first);
    cuda_scene_end();
}

/* What a pool has been told to keep it keeps, as far as it had it. */
static void count_bytes(void) {
    CUdeviceptr one, other;
    begin();
    one = take(BYTES);
    other = take(2 * BYTES);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 3 * BYTES);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 3 * BYTES);
    set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 2 * BYTES);
    CUDA_OK(cuMemFreeAsync(one, cuda.s));
    CUDA_OK(cuMemFreeAsync(other, cuda.s));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 3 * BYTES);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 2 * BYTES);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 3 * BYTES);
    set(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0);
    set(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 0);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 2 * BYTES);
    CUDA_OK(cuMemPoolTrimTo(pool, BYTES));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == BYTES);
    one = take(BYTES);
    CUDA_OK(cuMemPoolTrimTo(pool, 0));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == BYTES); /* it is used */
    CUDA_OK(cuMemFreeAsync(one, cuda.s));
    end();
}

static void ask_for_attributes(void) {
    uint64_t value = 1;
    int no = 0;
    CUmemPoolProps wanted = on_device(1);
    CUmemoryPool other;
    begin();
    wanted.most = 1 << 20;
    CUDA_OK(cuMemPoolCreate(&other, &wanted));
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_MAX_POOL_SIZE) == 1 << 20);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_MAX_POOL_SIZE) > 1 << 20);
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_LOCATION_ID) == 1);
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_LOCATION_TYPE) == CU_MEM_LOCATION_TYPE_DEVICE);
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_ALLOCATION_TYPE) == CU_MEM_ALLOCATION_TYPE_PINNED);
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES) == 0);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) == 1);
    CUDA_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &no));
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) == 0);
    SIM_WANT(said(other, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) == 1);
    SIM_WANT(said(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == 0);
    CUDA_ANSWERS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &value),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPoolSetAttribute(pool, 99, &value), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPoolGetAttribute(pool, 0, &value), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPoolGetAttribute(pool, 99, &value), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemPoolDestroy(other));
    end();
}

static void hold_no_more_than_asked(void) {
    CUmemPoolProps wanted = on_device(0);
    CUmemoryPool small;
    CUdeviceptr one, other;
    begin();
    wanted.most = 2 * BYTES;
    CUDA_OK(cuMemPoolCreate(&small, &wanted));
    CUDA_OK(cuMemAllocFromPoolAsync(&one, BYTES + 1, small, cuda.s));
    CUDA_ANSWERS(cuMemAllocFromPoolAsync(&other, BYTES, small, cuda.s), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_OK(cuMemAllocFromPoolAsync(&other, BYTES - 1, small, cuda.s));
    CUDA_OK(cuMemFreeAsync(other, cuda.s));
    CUDA_OK(cuMemAllocFromPoolAsync(&other, BYTES - 1, small, cuda.s));
    CUDA_OK(cuMemFreeAsync(one, cuda.s));
    CUDA_OK(cuMemPoolDestroy(small)); /* what is left outlives it */
    CUDA_OK(cuMemsetD8Async(other, 1, BYTES - 1, cuda.s));
    CUDA_OK(cuMemFreeAsync(other, cuda.s));
    end();
}

static void let_others_reach_it(void) {
    const CUmemAccessDesc reads[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 1}},
                          both[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 3},
                                    {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, 3}},
                          none[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0}},
                          odd[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 2}},
                          third[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 2}, 3}};
    CUmemLocation first = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                  second = {CU_MEM_LOCATION_TYPE_DEVICE, 1}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    int access = 7;
    begin();
    CUDA_OK(cuMemPoolGetAccess(&access, pool, &first));
    SIM_WANT(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUDA_OK(cuMemPoolGetAccess(&access, pool, &second));
    SIM_WANT(access == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    CUDA_OK(cuMemPoolSetAccess(pool, reads, 1));
    CUDA_OK(cuMemPoolGetAccess(&access, pool, &second));
    SIM_WANT(access == CU_MEM_ACCESS_FLAGS_PROT_READ);
    CUDA_OK(cuMemPoolSetAccess(pool, both, 2));
    CUDA_OK(cuMemPoolGetAccess(&access, pool, &second));
    SIM_WANT(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUDA_OK(cuMemPoolGetAccess(&access, pool, &host));
    SIM_WANT(access == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    CUDA_ANSWERS(cuMemPoolSetAccess(pool, none, 1), CUDA_ERROR_INVALID_DEVICE);
    CUDA_ANSWERS(cuMemPoolSetAccess(pool, odd, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemPoolSetAccess(pool, third, 1), CUDA_ERROR_INVALID_VALUE);
    end();
}

/* The stream may be of another device; the pool's has to have a context. */
static void allocate_on_the_other_device(void) {
    CUmemoryPool second;
    CUcontext other;
    CUdeviceptr memory;
    int ordinal;
    begin();
    second = make(1);
    CUDA_ANSWERS(cuMemAllocFromPoolAsync(&memory, BYTES, second, cuda.s), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, BYTES, second, cuda.s));
    CUDA_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory));
    SIM_WANT(ordinal == 1);
    CUDA_OK(cuMemcpyAsync(memory, cuda.a, BYTES, cuda.s));
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemPoolDestroy(second));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    end();
}

/* With a context its allocations end, and the pool has them no more; it stays. */
static void outlive_a_context(void) {
    CUcontext own;
    CUstream stream;
    CUdeviceptr memory;
    begin();
    for (int i = 0; i < 3; i++) {
        CUDA_OK(cuCtxCreate(&own, 0, 0));
        CUDA_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        CUDA_OK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, stream));
        SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == BYTES);
        CUDA_OK(cuCtxDestroy(own));
        SIM_WANT(said(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
    }
    end();
}

/* However many there have been; and each that has gone makes room. */
static void make_many(void) {
    CUmemoryPool many[254];
    CUmemPoolProps wanted = on_device(0);
    cuda_scene_begin();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 254; i++) many[i] = make(i % 2);
        CUDA_ANSWERS(cuMemPoolCreate(&pool, &wanted), CUDA_ERROR_OUT_OF_MEMORY);
        for (int i = 0; i < 254; i++) CUDA_OK(cuMemPoolDestroy(many[i]));
    }
    cuda_scene_end();
}

static void refuse(void) {
    CUmemPoolProps wanted = on_device(2);
    CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemoryPool none;
    CUDA_OK(cuInit(0));
    CUDA_ANSWERS(cuMemPoolCreate(&none, &wanted), CUDA_ERROR_INVALID_VALUE);
    wanted = on_device(0);
    wanted.type = 0;
    CUDA_ANSWERS(cuMemPoolCreate(&none, &wanted), CUDA_ERROR_INVALID_VALUE);
    wanted.type = CU_MEM_ALLOCATION_TYPE_MANAGED;
    CUDA_ANSWERS(cuMemPoolCreate(&none, &wanted), CUDA_ERROR_NOT_SUPPORTED);
    wanted = on_device(0);
    wanted.handle_types = 1;
    CUDA_ANSWERS(cuMemPoolCreate(&none, &wanted), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuMemGetMemPool(&none, &host, CU_MEM_ALLOCATION_TYPE_PINNED),
                 CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuDeviceGetMemPool(&none, 2), CUDA_ERROR_INVALID_DEVICE);
}

static void (*const programs[])(void) = {
    allocate_from_pools,
    choose_the_current_pool,
    count_bytes,
    ask_for_attributes,
    hold_no_more_than_asked,
    let_others_reach_it,
    allocate_on_the_other_device,
    outlive_a_context,
    make_many,
    refuse,
};

START_TEST(pools_that_are_used_rightly_are_not_blamed)
{ sim_goes_well(programs[_i], 3); }
END_TEST

START_TEST(what_pools_cannot_do_is_said_in_the_log)
{
    sim_expect(refuse, "pools of managed memory are not simulated",
               "\"remark\":\"cuMemGetMemPool\",\"text\":\"pools of the host",
               "no other process can be given a pool");
}
END_TEST

/* ---- and wrongly ---- */

static void let_t_wait_for_s(void) {
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
}

static void used_before_allocated(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    if (!wrong) let_t_wait_for_s();
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.t));
    CUDA_OK(cuMemFreeAsync(memory, cuda.t));
}

static void freed_on_another_stream(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    CUDA_OK(cuMemFreeAsync(memory, wrong ? cuda.t : cuda.s));
}

static void freed_at_once(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemFree(memory));
}

static void used_after_it_was_freed(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    if (wrong) CUDA_OK(cuMemFreeAsync(memory, cuda.s));
    CUresult code = cuMemsetD8Async(memory, 1, BYTES, cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    if (!wrong) CUDA_OK(cuMemFreeAsync(memory, cuda.s));
}

static void touched_by_the_cpu(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    CUDA_OK(cuMemsetD8Async(memory, 1, BYTES, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, memory, BYTES, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = wrong ? *cuda_at(memory, 5) : cuda.pinned[5];
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
}

static void a_pool_destroyed_twice(bool wrong) {
    CUmemoryPool other = make(0);
    CUDA_OK(cuMemPoolDestroy(other));
    if (wrong) CUDA_ANSWERS(cuMemPoolDestroy(other), CUDA_ERROR_INVALID_VALUE);
}

static void from_a_pool_that_was_destroyed(bool wrong) {
    CUdeviceptr memory;
    CUmemoryPool other = make(0);
    if (wrong) CUDA_OK(cuMemPoolDestroy(other));
    CUresult code = cuMemAllocFromPoolAsync(&memory, BYTES, other, cuda.s);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
    if (wrong) return;
    CUDA_OK(cuMemPoolDestroy(other)); /* the allocation may outlive it */
    CUDA_OK(cuMemFreeAsync(memory, cuda.s));
}

static void a_stream_as_pool(bool wrong) {
    CUmemoryPool of = wrong ? (CUmemoryPool)(void *)cuda.s : pool;
    CUresult code = cuMemPoolTrimTo(of, 0);
    SIM_WANT(code == (wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS));
}

static void a_pool_as_stream(bool wrong) {
    CUstream of = wrong ? (CUstream)(void *)pool : cuda.s;
    CUDA_ANSWERS(cuStreamSynchronize(of), wrong ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

static void a_pool_that_is_left(bool wrong) {
    CUmemoryPool other = make(0);
    if (!wrong) CUDA_OK(cuMemPoolDestroy(other));
}

static void memory_that_is_left(bool wrong) {
    CUdeviceptr memory = take(BYTES);
    if (!wrong) CUDA_OK(cuMemFreeAsync(memory, cuda.s));
}

static const struct sim_pair pairs[] = {
    {used_before_allocated, "race"},
    {freed_on_another_stream, "freed-in-use"},
    {freed_at_once, "freed-in-use"},
    {used_after_it_was_freed, "use-after-free"},
    {touched_by_the_cpu, "device-memory-touched"},
    {a_pool_destroyed_twice, "double-destroy"},
    {from_a_pool_that_was_destroyed, "use-after-destroy"},
    {a_stream_as_pool, "bad-handle"},
    {a_pool_as_stream, "bad-handle"},
    {a_pool_that_is_left, "leak"},
    {memory_that_is_left, "leak"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{
    sim_play_with("ADI_SIM_LEAKS", "1");
    sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE);
}
END_TEST

Suite *sim_cuda_pools_suite(void) {
    Suite *suite = suite_create("sim_cuda_pools");
    TCase *tests = tcase_create("pools");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, pools_that_are_used_rightly_are_not_blamed, 0,
                        (int)(sizeof programs / sizeof *programs));
    tcase_add_test(tests, what_pools_cannot_do_is_said_in_the_log);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
