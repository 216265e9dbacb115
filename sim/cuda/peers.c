/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between contexts. cuMemcpyPeer comes behind all work of the three contexts that it has to
 * do with, and before all that comes later; between two devices that goes for all contexts of both.
 */
#include "driver.h"

static bool find_of_device(const void *pointer, struct adi_sim_found *found) {
    return cuda_find(pointer, found) && found->memory == ADI_SIM_DEVICE;
}

uint64_t cuda_contexts_between(const void *to, const void *from) {
    struct adi_sim_found target, source;
    bool both = find_of_device(to, &target) && find_of_device(from, &source);
    if (!both || target.device == source.device) return 0;
    return cuda_contexts_of(target.device) | cuda_contexts_of(source.device);
}

CUresult cuda_cuMemcpyPeer(bool per_thread, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes) {
    struct cuda_scope scopes[3];
    uint64_t contexts = cuda_contexts_between(cuda_pointer(to), cuda_pointer(from));
    CUresult code = cuda_find_context(to_context, &scopes[1]);
    if (code == CUDA_SUCCESS) code = cuda_find_context(from_context, &scopes[2]);
    if (code == CUDA_SUCCESS) code = cuda_current(&scopes[0]);
    if (code != CUDA_SUCCESS) return code;
    for (size_t i = 0; i < 3; i++) contexts |= (uint64_t)1 << scopes[i].slot;
    return cuda_copy_alone(per_thread, to, from, bytes, contexts);
}

CUresult cuda_cuMemcpyPeerAsync(bool per_thread, CUdeviceptr to, CUcontext to_context,
                                CUdeviceptr from, CUcontext from_context, size_t bytes,
                                CUstream stream) {
    struct cuda_scope scope;
    CUresult code = cuda_find_context(to_context, &scope);
    if (code == CUDA_SUCCESS) code = cuda_find_context(from_context, &scope);
    if (code != CUDA_SUCCESS) return code;
    return cuda_cuMemcpyDtoDAsync_v2(per_thread, to, from, bytes, stream);
}
