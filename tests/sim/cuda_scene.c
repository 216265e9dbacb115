/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_scene.h"

struct cuda_scene cuda;

void cuda_scene_begin(void) {
    void *pinned;
    CUDA_OK(cuInit(0));
    CUDA_OK(cuDevicePrimaryCtxRetain(&cuda.context, 0));
    CUDA_OK(cuCtxPushCurrent(cuda.context));
    CUDA_OK(cuStreamCreate(&cuda.s, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuStreamCreate(&cuda.t, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuEventCreate(&cuda.e, 0));
    CUDA_OK(cuMemAlloc(&cuda.a, CUDA_BYTES));
    CUDA_OK(cuMemAlloc(&cuda.b, CUDA_BYTES));
    CUDA_OK(cuMemAllocManaged(&cuda.managed, CUDA_BYTES, CU_MEM_ATTACH_GLOBAL));
    CUDA_OK(cuMemAllocHost(&pinned, CUDA_BYTES));
    cuda.pinned = pinned;
}

void cuda_scene_end(void) {
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemFree(cuda.a));
    CUDA_OK(cuMemFree(cuda.b));
    CUDA_OK(cuMemFree(cuda.managed));
    CUDA_OK(cuMemFreeHost(cuda.pinned));
    CUDA_OK(cuEventDestroy(cuda.e));
    CUDA_OK(cuStreamDestroy(cuda.s));
    CUDA_OK(cuStreamDestroy(cuda.t));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}
