/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations, and the registering of the program's own memory.
 */
#include "driver.h"

/* ---- making ---- */

static CUresult allocate(enum adi_sim_memory memory, size_t bytes, void **out) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (out == NULL || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return cuda_error(adi_sim_alloc(scope.context, memory, bytes, out));
}

CUresult cuda_cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
    void *made = NULL;
    if (pointer == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = allocate(ADI_SIM_DEVICE, bytes, &made);
    if (code == CUDA_SUCCESS) *pointer = (uintptr_t)made;
    return code;
}

CUresult cuda_cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags) {
    void *made = NULL;
    if (pointer == NULL || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult code = allocate(ADI_SIM_MANAGED, bytes, &made);
    if (code == CUDA_SUCCESS) *pointer = (uintptr_t)made;
    return code;
}

/* Unlike memory of a device, none of this is no mistake. */
CUresult cuda_cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    struct cuda_scope scope;
    if (flags > CU_MEMHOSTALLOC_FLAGS_MASK) return CUDA_ERROR_INVALID_VALUE;
    if (pointer == NULL || bytes > 0) return allocate(ADI_SIM_PINNED, bytes, pointer);
    SIM_TRY(cuda_current(&scope));
    *pointer = NULL;
    return CUDA_SUCCESS;
}

CUresult cuda_cuMemAllocHost_v2(void **pointer, size_t bytes) {
    return cuda_cuMemHostAlloc(pointer, bytes, 0);
}

CUresult cuda_cuMemAllocAsync(bool per_thread, CUdeviceptr *pointer, size_t bytes,
                              CUstream stream) {
    adi_sim_queue queue;
    SIM_TRY(cuda_queue(per_thread, stream, NULL, &queue));
    if (pointer == NULL || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return cuda_allocate_on(queue, bytes, pointer);
}

/* ---- freeing: the pointer says in which context, whichever is current ---- */

/* The driver waits for work that uses what is freed, but not if it is from a pool (cuMemFree). */
CUresult cuda_cuMemFree_v2(CUdeviceptr address) {
    struct adi_sim_found found;
    void *pointer = cuda_pointer(address);
    enum cuda_memory memory = cuda_memory_of(pointer);
    if (memory == CUDA_PINNED || memory == CUDA_FOREIGN) return CUDA_ERROR_INVALID_VALUE;
    bool from_pool = cuda_find(pointer, &found) && found.on_queue;
    if (!from_pool) return cuda_error(adi_sim_free_behind(pointer));
    CUresult code = cuda_error(adi_sim_free(pointer));
    if (code == CUDA_SUCCESS) cuda_give_back(&found);
    return code;
}

CUresult cuda_cuMemFreeAsync(bool per_thread, CUdeviceptr address, CUstream stream) {
    adi_sim_queue queue;
    struct adi_sim_found found;
    SIM_TRY(cuda_queue(per_thread, stream, NULL, &queue));
    if (cuda_memory_of(cuda_pointer(address)) == CUDA_FOREIGN) return CUDA_ERROR_INVALID_VALUE;
    bool from_pool = cuda_find(cuda_pointer(address), &found) && found.on_queue;
    CUresult code = cuda_error(adi_sim_free_on(queue, cuda_pointer(address)));
    if (code == CUDA_SUCCESS && from_pool) cuda_give_back(&found);
    return code;
}

CUresult cuda_cuMemFreeHost(void *pointer) {
    enum cuda_memory memory = cuda_memory_of(pointer); /* the engine says what is wrong with none */
    bool other = memory == CUDA_ON_DEVICE || memory == CUDA_MANAGED || memory == CUDA_FOREIGN;
    if (pointer == NULL) return CUDA_SUCCESS;
    return other ? CUDA_ERROR_INVALID_VALUE : cuda_error(adi_sim_free(pointer));
}

/* ---- registering ---- */

/* It stays the program's own, in which the engine sees no order: whatever writes it is waited for,
 * and what reads it does so when its turn comes. */
CUresult cuda_cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    struct adi_sim_found found;
    if (pointer == NULL || bytes == 0 || flags > CU_MEMHOSTREGISTER_FLAGS_MASK ||
        adi_sim_find(pointer, &found) == 0 || !adi_sim_readable(pointer, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return cuda_register(&scope, pointer, bytes);
}

CUresult cuda_cuMemHostUnregister(void *pointer) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (pointer == NULL) return CUDA_ERROR_INVALID_VALUE;
    return cuda_unregister(pointer);
}

CUresult cuda_cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *pointer, unsigned flags) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (device == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    enum cuda_memory memory = cuda_memory_of(pointer);
    if (memory != CUDA_REGISTERED && memory != CUDA_PINNED) return CUDA_ERROR_INVALID_VALUE;
    *device = (uintptr_t)pointer;
    return CUDA_SUCCESS;
}

CUresult cuda_cuMemGetInfo_v2(size_t *available, size_t *total) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (available == NULL || total == NULL) return CUDA_ERROR_INVALID_VALUE;
    return cuda_error(adi_sim_memory_info(scope.context, available, total));
}
