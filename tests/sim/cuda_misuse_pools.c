/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_misuse_internal.h"

static CUmemPoolProps of_device(void) {
    return (CUmemPoolProps){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
}

static CUmemoryPool begin_with_pool(void) {
    CUmemPoolProps wanted = of_device();
    CUmemoryPool made = NULL;
    cuda_misuse_begin();
    MUST(cu.cuMemPoolCreate(&made, &wanted));
    return made;
}

CUresult destroy_the_default_pool(void) {
    CUmemoryPool pool;
    cuda_misuse_begin();
    MUST(cu.cuDeviceGetDefaultMemPool(&pool, 0));
    return cu.cuMemPoolDestroy(pool);
}

CUresult destroy_a_pool_twice(void) {
    CUmemoryPool pool = begin_with_pool();
    MUST(cu.cuMemPoolDestroy(pool));
    return cu.cuMemPoolDestroy(pool);
}

CUresult pool_to_nowhere(void) {
    CUmemPoolProps wanted = of_device();
    cuda_misuse_begin();
    return cu.cuMemPoolCreate(NULL, &wanted);
}

CUresult pool_of_no_type(void) {
    CUmemPoolProps wanted = of_device();
    CUmemoryPool made;
    wanted.type = 0;
    cuda_misuse_begin();
    return cu.cuMemPoolCreate(&made, &wanted);
}

CUresult mark_of_a_pool_that_is_no_reset(void) {
    uint64_t mark = 1;
    return cu.cuMemPoolSetAttribute(begin_with_pool(), CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &mark);
}

CUresult attribute_that_no_pool_has(void) {
    uint64_t value;
    return cu.cuMemPoolGetAttribute(begin_with_pool(), 100000, &value);
}

CUresult own_access_of_a_pool_taken_away(void) {
    const CUmemAccessDesc none = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    return cu.cuMemPoolSetAccess(begin_with_pool(), &none, 1);
}
