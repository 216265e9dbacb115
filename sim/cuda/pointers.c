/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver knows of a pointer.
 */
#include <string.h>

#include "driver.h"

/* Of all attributes the value, as much of it as its type has. */
struct answer {
    size_t size; /* 0: there is none for this memory */
    uint64_t value;
};

static struct answer number(uint64_t value, size_t size) {
    return (struct answer){size, value};
}

static struct answer ask(const struct adi_sim_found *found, CUdeviceptr pointer, int attribute) {
    bool on_device = found->memory == ADI_SIM_DEVICE, pinned = found->memory == ADI_SIM_PINNED;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return number((uintptr_t)cuda_context_name(found->context), sizeof(CUcontext));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return number(pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE, sizeof(int));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return number(pointer, sizeof(CUdeviceptr));
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return number(pointer, on_device ? 0 : sizeof(void *));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return number(0, 1);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return number(cuda_has_handle(found), 1);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return number(found->ordinal, sizeof(uint64_t));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return number(found->memory == ADI_SIM_MANAGED, 1);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return number((uint64_t)found->device, sizeof(int));
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return number((uintptr_t)found->start, sizeof(CUdeviceptr));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return number(found->bytes, sizeof(size_t));
    case CU_POINTER_ATTRIBUTE_MAPPED:
        return number(1, 1);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return number((uintptr_t)cuda_pool_of(found), sizeof(CUmemoryPool));
    default:
        return number(0, 0);
    }
}

/* Numbers are little-endian wherever the engine runs, so that the first bytes are the value. */
static void put(void *out, struct answer answer) {
    memcpy(out, &answer.value, answer.size);
}

CUresult cuda_cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer) {
    struct adi_sim_found found;
    if (value == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (!cuda_find(cuda_pointer(pointer), &found)) return CUDA_ERROR_INVALID_VALUE;
    struct answer answer = ask(&found, pointer, attribute);
    put(value, answer);
    return answer.size == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* What a pointer does not have is 0, and one that is unknown has nothing. */
CUresult cuda_cuPointerGetAttributes(unsigned n, int *attributes, void **values,
                                     CUdeviceptr pointer) {
    static const struct adi_sim_found nothing = {.memory = ADI_SIM_MANAGED};
    struct adi_sim_found found;
    if (n == 0 || attributes == NULL || values == NULL) return CUDA_ERROR_INVALID_VALUE;
    bool known = cuda_find(cuda_pointer(pointer), &found);
    for (unsigned i = 0; i < n; i++) {
        struct answer size = ask(&nothing, 0, attributes[i]);
        if (size.size == 0 || values[i] == NULL) return CUDA_ERROR_INVALID_VALUE;
        struct answer answer = {0};
        if (known) answer = ask(&found, pointer, attributes[i]);
        if (answer.size == 0) answer = number(0, size.size);
        put(values[i], answer);
    }
    return CUDA_SUCCESS;
}

CUresult cuda_cuMemGetAddressRange_v2(CUdeviceptr *start, size_t *bytes, CUdeviceptr pointer) {
    struct adi_sim_found found;
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (!cuda_find(cuda_pointer(pointer), &found)) return CUDA_ERROR_NOT_FOUND;
    if (start != NULL) *start = (uintptr_t)found.start;
    if (bytes != NULL) *bytes = found.bytes;
    return CUDA_SUCCESS;
}
