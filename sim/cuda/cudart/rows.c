/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's copies of rows as the driver's.
 */
#include "runtime.h"

cudaError_t runtime_cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    CUresult code = cuMemAllocPitch_v2(&made, pitch, width, height, 4);
    if (code == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)made;
    return (cudaError_t)code;
}

static driver_rows_side side_of(const void *pointer, size_t pitch, int type) {
    return (driver_rows_side){
        .type = type, .host = pointer, .device = (uintptr_t)pointer, .pitch = pitch};
}

static cudaError_t rows_of(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind,
                           CUDA_MEMCPY2D *out) {
    static const struct {
        int from, to;
    } types[] = {
        [cudaMemcpyHostToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
        [cudaMemcpyHostToDevice] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDeviceToHost] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
        [cudaMemcpyDeviceToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDefault] = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED},
    };
    if ((size_t)kind >= sizeof types / sizeof *types) return cudaErrorInvalidMemcpyDirection;
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    *out = (CUDA_MEMCPY2D){.from = side_of(from, from_pitch, types[kind].from),
                           .to = side_of(to, to_pitch, types[kind].to),
                           .width = width,
                           .height = height};
    return cudaSuccess;
}

cudaError_t runtime_cudaMemcpy2D(bool per_thread, void *to, size_t to_pitch, const void *from,
                                 size_t from_pitch, size_t width, size_t height,
                                 enum cudaMemcpyKind kind) {
    CUDA_MEMCPY2D rows;
    SIM_TRY(rows_of(to, to_pitch, from, from_pitch, width, height, kind, &rows));
    return (cudaError_t)ON(per_thread, cuMemcpy2DUnaligned_v2, _ptds)(&rows);
}

cudaError_t runtime_cudaMemcpy2DAsync(bool per_thread, void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    CUDA_MEMCPY2D rows;
    SIM_TRY(rows_of(to, to_pitch, from, from_pitch, width, height, kind, &rows));
    return (cudaError_t)ON(per_thread, cuMemcpy2DAsync_v2, _ptsz)(&rows, stream);
}
