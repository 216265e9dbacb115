/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations, and what of the program's own memory it has registered.
 */
#include <string.h>

#include "driver.h"

#define REGISTRATIONS 1024

#define FIRST_BUFFER ((uint64_t)1 << 32) /* numbers beside those of allocations */

static struct registration {
    const char *start;
    size_t bytes; /* 0: none */
    adi_sim_context context;
    int device;
    uint64_t ordinal;
} registered[REGISTRATIONS];
static size_t n_used; /* there is none behind these */

/* ---- finding ---- */

/* The one that has a byte of the range, which may be any words of the program. */
static struct registration *overlapping(const char *start, size_t bytes) {
    uintptr_t from = (uintptr_t)start;
    uintptr_t to = bytes > UINTPTR_MAX - from ? UINTPTR_MAX : from + bytes;
    for (size_t i = 0; i < n_used; i++) {
        struct registration *one = &registered[i];
        uintptr_t begin = (uintptr_t)one->start;
        if (one->bytes > 0 && from < begin + one->bytes && begin < to) return one;
    }
    return NULL;
}

static bool find_registered(const void *pointer, struct adi_sim_found *found) {
    const struct registration *one = overlapping(pointer, 1);
    if (one != NULL)
        *found = (struct adi_sim_found){.start = (void *)(uintptr_t)one->start,
                                        .bytes = one->bytes,
                                        .memory = ADI_SIM_PINNED,
                                        .family = CUDA_FAMILY,
                                        .device = one->device,
                                        .ordinal = one->ordinal,
                                        .context = one->context};
    return one != NULL;
}

bool cuda_is_registered(const void *pointer, size_t bytes) {
    struct adi_sim_found found;
    if (!find_registered(pointer, &found)) return false;
    return bytes <= found.bytes - (size_t)((const char *)pointer - (const char *)found.start);
}

static bool is_ours(const struct adi_sim_found *found) {
    return strcmp(found->family, CUDA_FAMILY) == 0;
}

bool cuda_find(const void *pointer, struct adi_sim_found *found) {
    return find_registered(pointer, found) || (adi_sim_find(pointer, found) == 0 && is_ours(found));
}

enum cuda_memory cuda_memory_of(const void *pointer) {
    static const enum cuda_memory kinds[] = {[ADI_SIM_DEVICE] = CUDA_ON_DEVICE,
                                             [ADI_SIM_PINNED] = CUDA_PINNED,
                                             [ADI_SIM_MANAGED] = CUDA_MANAGED};
    struct adi_sim_found found;
    if (find_registered(pointer, &found)) return CUDA_REGISTERED;
    if (adi_sim_find(pointer, &found) != 0) return CUDA_PAGEABLE;
    return is_ours(&found) ? kinds[found.memory] : CUDA_FOREIGN;
}

/* ---- making ---- */

static CUresult allocate(enum adi_sim_memory memory, size_t bytes, void **out) {
    struct cuda_scope scope;
    CUresult code = cuda_current(&scope);
    if (code != CUDA_SUCCESS) return code;
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

CUresult cuda_cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    if (flags > CU_MEMHOSTALLOC_FLAGS_MASK) return CUDA_ERROR_INVALID_VALUE;
    return allocate(ADI_SIM_PINNED, bytes, pointer);
}

CUresult cuda_cuMemAllocHost_v2(void **pointer, size_t bytes) {
    return allocate(ADI_SIM_PINNED, bytes, pointer);
}

CUresult cuda_cuMemAllocAsync(bool per_thread, CUdeviceptr *pointer, size_t bytes,
                              CUstream stream) {
    adi_sim_queue queue;
    void *made = NULL;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS) return code;
    if (pointer == NULL || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    code = cuda_error(adi_sim_alloc_on(queue, bytes, &made));
    if (code == CUDA_SUCCESS) *pointer = (uintptr_t)made;
    return code;
}

/* ---- freeing: the pointer says in which context, whichever is current ---- */

/* The driver waits for work that uses what is freed, but not if it is from a pool (cuMemFree). */
CUresult cuda_cuMemFree_v2(CUdeviceptr address) {
    struct adi_sim_found found;
    void *pointer = cuda_pointer(address);
    enum cuda_memory memory = cuda_memory_of(pointer);
    if (memory == CUDA_PINNED || memory == CUDA_FOREIGN) return CUDA_ERROR_INVALID_VALUE;
    bool from_pool = cuda_find(pointer, &found) && found.on_queue;
    if (from_pool) return cuda_error(adi_sim_free(pointer));
    return cuda_error(adi_sim_free_behind(pointer));
}

CUresult cuda_cuMemFreeAsync(bool per_thread, CUdeviceptr address, CUstream stream) {
    adi_sim_queue queue;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS) return code;
    if (cuda_memory_of(cuda_pointer(address)) == CUDA_FOREIGN) return CUDA_ERROR_INVALID_VALUE;
    return cuda_error(adi_sim_free_on(queue, cuda_pointer(address)));
}

CUresult cuda_cuMemFreeHost(void *pointer) {
    enum cuda_memory memory = cuda_memory_of(pointer); /* the engine says what is wrong with none */
    bool other = memory == CUDA_ON_DEVICE || memory == CUDA_MANAGED || memory == CUDA_FOREIGN;
    return pointer == NULL || other ? CUDA_ERROR_INVALID_VALUE : cuda_error(adi_sim_free(pointer));
}

/* ---- registering ---- */

static CUresult add(const struct cuda_scope *scope, const char *start, size_t bytes) {
    static uint64_t made;
    if (overlapping(start, bytes) != NULL) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    for (size_t i = 0; i < REGISTRATIONS; i++) {
        if (registered[i].bytes > 0) continue;
        registered[i] = (struct registration){start, bytes, scope->context, scope->device,
                                              FIRST_BUFFER + made++};
        if (i == n_used) n_used++;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* It stays the program's own, in which the engine sees no order: whatever writes it is waited for,
 * and what reads it does so when its turn comes. */
CUresult cuda_cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
    struct cuda_scope scope;
    CUresult code = cuda_current(&scope);
    if (code != CUDA_SUCCESS) return code;
    struct adi_sim_found found;
    if (pointer == NULL || bytes == 0 || flags > CU_MEMHOSTREGISTER_FLAGS_MASK ||
        adi_sim_find(pointer, &found) == 0 || !adi_sim_readable(pointer, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return add(&scope, pointer, bytes);
}

CUresult cuda_cuMemHostUnregister(void *pointer) {
    struct cuda_scope scope;
    CUresult code = cuda_current(&scope);
    if (code != CUDA_SUCCESS) return code;
    if (pointer == NULL) return CUDA_ERROR_INVALID_VALUE;
    struct registration *found = overlapping(pointer, 1);
    bool start = found != NULL && found->start == pointer;
    if (start) found->bytes = 0;
    return start ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

void cuda_unregister_all(adi_sim_context context) {
    for (size_t i = 0; i < n_used; i++)
        if (registered[i].context == context) registered[i].bytes = 0;
}

CUresult cuda_cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *pointer, unsigned flags) {
    struct cuda_scope scope;
    CUresult code = cuda_current(&scope);
    if (code != CUDA_SUCCESS) return code;
    if (device == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    enum cuda_memory memory = cuda_memory_of(pointer);
    if (memory != CUDA_REGISTERED && memory != CUDA_PINNED) return CUDA_ERROR_INVALID_VALUE;
    *device = (uintptr_t)pointer;
    return CUDA_SUCCESS;
}

CUresult cuda_cuMemGetInfo_v2(size_t *available, size_t *total) {
    struct cuda_scope scope;
    CUresult code = cuda_current(&scope);
    if (code != CUDA_SUCCESS) return code;
    if (available == NULL || total == NULL) return CUDA_ERROR_INVALID_VALUE;
    return cuda_error(adi_sim_memory_info(scope.context, available, total));
}
