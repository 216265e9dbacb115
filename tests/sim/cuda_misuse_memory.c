/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/mman.h>

#include "sim/cuda_misuse_internal.h"

/* ---- memory ---- */

CUresult allocate_nothing(void) {
    cuda_misuse_begin();
    return cu.cuMemAlloc_v2(&on.memory, 0);
}

CUresult allocate_to_nowhere(void) {
    cuda_misuse_begin();
    return cu.cuMemAlloc_v2(NULL, BYTES);
}

CUresult allocate_too_much(void) {
    cuda_misuse_begin();
    return cu.cuMemAlloc_v2(&on.memory, (size_t)1 << 50);
}

CUresult allocate_no_host_memory(void) {
    void *out;
    cuda_misuse_begin();
    return cu.cuMemAllocHost_v2(&out, 0);
}

CUresult allocate_no_mapped_memory(void) {
    void *out;
    cuda_misuse_begin();
    return cu.cuMemHostAlloc(&out, 0, 0);
}

CUresult free_no_host_memory(void) {
    cuda_misuse_begin();
    return cu.cuMemFreeHost(NULL);
}

CUresult host_memory_with_odd_flags(void) {
    void *out;
    cuda_misuse_begin();
    return cu.cuMemHostAlloc(&out, BYTES, 0x1000);
}

CUresult managed_memory_for_nobody(void) {
    cuda_misuse_begin();
    return cu.cuMemAllocManaged(&on.memory, BYTES, 0);
}

CUresult managed_memory_of_no_size(void) {
    cuda_misuse_begin();
    return cu.cuMemAllocManaged(&on.memory, 0, CU_MEM_ATTACH_GLOBAL);
}

CUresult free_twice(void) {
    cuda_misuse_begin();
    MUST(cu.cuMemFree_v2(on.memory));
    return cu.cuMemFree_v2(on.memory);
}

CUresult free_inside(void) {
    cuda_misuse_begin();
    return cu.cuMemFree_v2(on.memory + 8);
}

CUresult free_garbage(void) {
    cuda_misuse_begin();
    return cu.cuMemFree_v2(0x1234567);
}

CUresult free_memory_of_the_program(void) {
    cuda_misuse_begin();
    return cu.cuMemFree_v2((uintptr_t)on.host);
}

CUresult free_pinned_as_device(void) {
    void *pinned;
    cuda_misuse_begin();
    MUST(cu.cuMemAllocHost_v2(&pinned, BYTES));
    return cu.cuMemFree_v2((uintptr_t)pinned);
}

CUresult free_device_as_pinned(void) {
    cuda_misuse_begin();
    return cu.cuMemFreeHost((void *)(uintptr_t)on.memory);
}

CUresult free_memory_of_the_program_as_pinned(void) {
    cuda_misuse_begin();
    return cu.cuMemFreeHost(on.host);
}

CUresult free_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuMemFree_v2(on.memory);
}

CUresult free_pinned_without_context(void) {
    void *pinned;
    cuda_misuse_begin();
    MUST(cu.cuMemAllocHost_v2(&pinned, BYTES));
    MUST(cu.cuCtxPopCurrent_v2(NULL));
    return cu.cuMemFreeHost(pinned);
}

CUresult free_garbage_on_a_stream(void) {
    cuda_misuse_begin();
    return cu.cuMemFreeAsync(0x1234567, on.stream);
}

CUresult register_twice(void) {
    cuda_misuse_begin();
    MUST(cu.cuMemHostRegister_v2(on.host, sizeof on.host, 0));
    return cu.cuMemHostRegister_v2(on.host, sizeof on.host, 0);
}

CUresult register_beside_null(void) {
    cuda_misuse_begin();
    return cu.cuMemHostRegister_v2((void *)(uintptr_t)1, 4, 0);
}

static void *closed_to_writes(void) {
    return mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

CUresult register_what_cannot_be_written(void) {
    cuda_misuse_begin();
    return cu.cuMemHostRegister_v2(closed_to_writes(), BYTES, 0);
}

CUresult register_it_for_reads(void) {
    cuda_misuse_begin();
    return cu.cuMemHostRegister_v2(closed_to_writes(), BYTES, 8);
}

CUresult copy_to_what_is_for_reads(void) {
    cuda_misuse_begin();
    MUST(cu.cuMemHostRegister_v2(on.host, BYTES, 8));
    return cu.cuMemcpyDtoH_v2(on.host, on.memory, BYTES);
}

CUresult unregister_what_is_not(void) {
    cuda_misuse_begin();
    return cu.cuMemHostUnregister(on.host);
}

CUresult device_pointer_of_pageable(void) {
    cuda_misuse_begin();
    return cu.cuMemHostGetDevicePointer_v2(&on.memory, on.host, 0);
}

CUresult range_of_pageable(void) {
    size_t bytes;
    cuda_misuse_begin();
    return cu.cuMemGetAddressRange_v2(&on.memory, &bytes, (uintptr_t)on.host);
}

CUresult attribute_of_pageable(void) {
    int type;
    cuda_misuse_begin();
    return cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)on.host);
}

CUresult attributes_of_pageable(void) {
    int type = 7, wanted = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void *values[] = {&type};
    cuda_misuse_begin();
    CUresult code = cu.cuPointerGetAttributes(1, &wanted, values, (uintptr_t)on.host);
    return type == 0 ? code : CUDA_ERROR_UNKNOWN;
}

CUresult attribute_without_context(void) {
    int type;
    cuda_misuse_begin_and_pop();
    return cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, on.memory);
}

CUresult attributes_without_context(void) {
    int type = 0, wanted = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void *values[] = {&type};
    cuda_misuse_begin_and_pop();
    CUresult code = cu.cuPointerGetAttributes(1, &wanted, values, on.memory);
    return type == CU_MEMORYTYPE_DEVICE ? code : CUDA_ERROR_UNKNOWN;
}

CUresult range_without_context(void) {
    CUdeviceptr start;
    size_t bytes;
    cuda_misuse_begin_and_pop();
    return cu.cuMemGetAddressRange_v2(&start, &bytes, on.memory);
}

CUresult attribute_that_no_pointer_has(void) {
    int value;
    cuda_misuse_begin();
    return cu.cuPointerGetAttribute(&value, 100000, on.memory);
}

CUresult flags_that_no_context_has(void) {
    cuda_misuse_begin();
    return cu.cuCtxSetFlags(0x10000);
}

/* ---- managed memory ---- */

CUresult advice_about_device_memory(void) {
    cuda_misuse_begin();
    return cu.cuMemAdvise(on.memory, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
}

static void allocate_managed(void) {
    cuda_misuse_begin();
    MUST(cu.cuMemAllocManaged(&on.memory, BYTES, CU_MEM_ATTACH_GLOBAL));
}

CUresult advice_that_is_none(void) {
    allocate_managed();
    return cu.cuMemAdvise(on.memory, BYTES, 1000, 0);
}

CUresult prefetch_of_device_memory(void) {
    cuda_misuse_begin();
    return cu.cuMemPrefetchAsync(on.memory, BYTES, 0, on.stream);
}

CUresult prefetch_to_no_device(void) {
    allocate_managed();
    return cu.cuMemPrefetchAsync(on.memory, BYTES, 1000, on.stream);
}

CUresult attribute_of_a_range_of_odd_size(void) {
    int value[2];
    allocate_managed();
    return cu.cuMemRangeGetAttribute(value, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, on.memory,
                                     BYTES);
}

/* ---- copies ---- */

CUresult copy_beyond_the_end(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(on.memory + (64 << 20), on.host, BYTES);
}

CUresult copy_from_freed(void) {
    cuda_misuse_begin();
    MUST(cu.cuMemFree_v2(on.memory));
    return cu.cuMemcpyDtoH_v2(on.host, on.memory, BYTES);
}

CUresult copy_to_garbage(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(0x1234567, on.host, BYTES);
}

CUresult copy_of_nothing(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(on.memory, on.host, 0);
}

CUresult copy_onto_itself(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyDtoD_v2(on.memory, on.memory, BYTES);
}

CUresult copy_from_nowhere(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(on.memory, (const void *)(uintptr_t)64, BYTES);
}

CUresult copy_from_null(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(on.memory, NULL, 4);
}

CUresult copy_from_null_on_a_stream(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoDAsync_v2(on.memory, NULL, 4, on.stream);
}

CUresult copy_from_beside_null(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyHtoD_v2(on.memory, (const void *)(uintptr_t)1, 4);
}

CUresult copy_to_null(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyDtoH_v2(NULL, on.memory, 4);
}

CUresult copy_to_null_on_a_stream(void) {
    cuda_misuse_begin();
    return cu.cuMemcpyDtoHAsync_v2(NULL, on.memory, 4, on.stream);
}

CUresult fill_odd_words(void) {
    cuda_misuse_begin();
    return cu.cuMemsetD32_v2(on.memory + 1, 7, 4);
}

CUresult fill_beyond_the_end(void) {
    cuda_misuse_begin();
    return cu.cuMemsetD8_v2(on.memory, 7, (size_t)1 << 40);
}
