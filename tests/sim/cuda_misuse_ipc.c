/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_misuse_internal.h"

/* ---- memory that is shared between processes, in one ---- */

CUresult share_pinned_memory(void) {
    CUipcMemHandle handle;
    void *pinned;
    cuda_misuse_begin();
    MUST(cu.cuMemAllocHost_v2(&pinned, BYTES));
    return cu.cuIpcGetMemHandle(&handle, (uintptr_t)pinned);
}

CUresult share_memory_of_the_program(void) {
    CUipcMemHandle handle;
    cuda_misuse_begin();
    return cu.cuIpcGetMemHandle(&handle, (uintptr_t)on.host);
}

CUresult open_a_handle_at_home(void) {
    CUipcMemHandle handle;
    CUdeviceptr opened;
    cuda_misuse_begin();
    MUST(cu.cuIpcGetMemHandle(&handle, on.memory));
    return cu.cuIpcOpenMemHandle_v2(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
}

CUresult open_a_handle_with_odd_flags(void) {
    CUipcMemHandle handle;
    CUdeviceptr opened;
    cuda_misuse_begin();
    MUST(cu.cuIpcGetMemHandle(&handle, on.memory));
    return cu.cuIpcOpenMemHandle_v2(&opened, handle, 8);
}

CUresult close_what_was_not_opened(void) {
    cuda_misuse_begin();
    return cu.cuIpcCloseMemHandle(on.memory);
}
