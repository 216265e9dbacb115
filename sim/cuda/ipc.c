/* SPDX-License-Identifier: Apache-2.0
 *
 * Sharing memory between processes, as far as one process sees it. Nothing is shared: the bytes of
 * device memory are this process's own, and the order of what is done to them is known to its
 * engine only.
 */
#include <string.h>
#include <unistd.h>

#include "driver.h"

/* What is in a handle, which programs hand around without looking into it. */
struct content {
    char kind[8];
    uint64_t process, ordinal; /* of the allocation in the log */
};

static const char kind[8] = "adisim";

_Static_assert(sizeof(struct content) <= sizeof(CUipcMemHandle), "it has room");

bool cuda_has_handle(const struct adi_sim_found *found) {
    return found->memory == ADI_SIM_DEVICE && !found->on_queue;
}

CUresult cuda_cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer) {
    struct cuda_scope scope;
    struct adi_sim_found found;
    struct content content = {.process = (uint64_t)getpid()};
    if (handle == NULL) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_current(&scope));
    if (!cuda_find(cuda_pointer(pointer), &found) || !cuda_has_handle(&found))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(content.kind, kind, sizeof kind);
    content.ordinal = found.ordinal;
    *handle = (CUipcMemHandle){{0}};
    memcpy(handle, &content, sizeof content);
    return CUDA_SUCCESS;
}

/* A driver opens no handle in the process that it is of. */
CUresult cuda_cuIpcOpenMemHandle_v2(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned flags) {
    struct cuda_scope scope;
    struct content content;
    if (pointer == NULL || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_current(&scope));
    memcpy(&content, &handle, sizeof content);
    if (memcmp(content.kind, kind, sizeof kind) != 0) return CUDA_ERROR_INVALID_HANDLE;
    if (content.process == (uint64_t)getpid()) return CUDA_ERROR_INVALID_CONTEXT;
    return cuda_unserved("cuIpcOpenMemHandle_v2");
}

/* Nothing was ever opened. */
CUresult cuda_cuIpcCloseMemHandle(CUdeviceptr pointer) {
    struct cuda_scope scope;
    (void)pointer;
    CUresult code = cuda_current(&scope);
    return code == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : code;
}
