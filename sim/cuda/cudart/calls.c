/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's calls as those of the driver that they are.
 */
#include <string.h>

#include "runtime.h"

static CUdeviceptr address(const void *pointer) {
    return (uintptr_t)pointer;
}

static cudaError_t as_error(CUresult code) {
    return (cudaError_t)code;
}

/* ---- the device ---- */

cudaError_t runtime_cudaDeviceSynchronize(void) {
    return as_error(cuCtxSynchronize());
}

cudaError_t runtime_cudaDeviceGetAttribute(int *value, int attribute, int device) {
    return as_error(cuDeviceGetAttribute(value, attribute, device));
}

cudaError_t runtime_cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return as_error(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t runtime_cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return as_error(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t runtime_cudaMemGetInfo(size_t *available, size_t *total) {
    return as_error(cuMemGetInfo_v2(available, total));
}

/* ---- memory: nothing of no size is NULL, and so is what is freed then ---- */

cudaError_t runtime_cudaMalloc(void **pointer, size_t bytes) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    cudaError_t code = bytes == 0 ? cudaSuccess : as_error(cuMemAlloc_v2(&made, bytes));
    if (code == cudaSuccess) *pointer = (void *)(uintptr_t)made;
    return code;
}

cudaError_t runtime_cudaFree(void *pointer) {
    return pointer == NULL ? cudaSuccess : as_error(cuMemFree_v2(address(pointer)));
}

cudaError_t runtime_cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    void *made = NULL;
    if (pointer == NULL) return cudaErrorInvalidValue;
    cudaError_t code = bytes == 0 ? cudaSuccess : as_error(cuMemHostAlloc(&made, bytes, flags));
    if (code == cudaSuccess) *pointer = made;
    return code;
}

cudaError_t runtime_cudaMallocHost(void **pointer, size_t bytes) {
    return runtime_cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t runtime_cudaFreeHost(void *pointer) {
    return pointer == NULL ? cudaSuccess : as_error(cuMemFreeHost(pointer));
}

cudaError_t runtime_cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    cudaError_t code = as_error(cuMemAllocManaged(&made, bytes, flags));
    if (code == cudaSuccess) *pointer = (void *)(uintptr_t)made;
    return code;
}

cudaError_t runtime_cudaMallocAsync(bool per_thread, void **pointer, size_t bytes,
                                    cudaStream_t stream) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    CUresult code = ON(per_thread, cuMemAllocAsync, _ptsz)(&made, bytes, stream);
    if (code == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)made;
    return as_error(code);
}

cudaError_t runtime_cudaFreeAsync(bool per_thread, void *pointer, cudaStream_t stream) {
    return as_error(ON(per_thread, cuMemFreeAsync, _ptsz)(address(pointer), stream));
}

cudaError_t runtime_cudaPointerGetAttributes(struct cudaPointerAttributes *out,
                                             const void *pointer) {
    int type = 0, device = 0, managed = 0;
    void *host = NULL;
    int wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                    CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &device, &managed, &host};
    if (out == NULL) return cudaErrorInvalidValue;
    CUresult code = cuPointerGetAttributes(4, wanted, values, address(pointer));
    if (code != CUDA_SUCCESS) return as_error(code);
    out->type = managed                        ? cudaMemoryTypeManaged
                : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                                               : cudaMemoryTypeUnregistered;
    out->device = type == 0 ? -2 : device;
    out->devicePointer = type == 0 ? NULL : (void *)(uintptr_t)pointer;
    out->hostPointer = type == 0 ? (void *)(uintptr_t)pointer : host;
    return cudaSuccess;
}

cudaError_t runtime_cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
    return as_error(cuIpcGetMemHandle((CUipcMemHandle *)handle, address(pointer)));
}

cudaError_t runtime_cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle,
                                         unsigned flags) {
    CUipcMemHandle same;
    CUdeviceptr opened = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    memcpy(&same, &handle, sizeof same);
    CUresult code = cuIpcOpenMemHandle_v2(&opened, same, flags);
    if (code == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)opened;
    return as_error(code);
}

cudaError_t runtime_cudaIpcCloseMemHandle(void *pointer) {
    return as_error(cuIpcCloseMemHandle(address(pointer)));
}

/* ---- copies ---- */

cudaError_t runtime_cudaMemcpy(bool per_thread, void *to, const void *from, size_t bytes,
                               enum cudaMemcpyKind kind) {
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return as_error(ON(per_thread, cuMemcpyHtoD_v2, _ptds)(address(to), from, bytes));
    case cudaMemcpyDeviceToHost:
        return as_error(ON(per_thread, cuMemcpyDtoH_v2, _ptds)(to, address(from), bytes));
    case cudaMemcpyDeviceToDevice:
        return as_error(ON(per_thread, cuMemcpyDtoD_v2, _ptds)(address(to), address(from), bytes));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return as_error(ON(per_thread, cuMemcpy, _ptds)(address(to), address(from), bytes));
    }
    return cudaErrorInvalidMemcpyDirection;
}

cudaError_t runtime_cudaMemcpyAsync(bool per_thread, void *to, const void *from, size_t bytes,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    CUdeviceptr source = address(from), target = address(to);
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return as_error(ON(per_thread, cuMemcpyHtoDAsync_v2, _ptsz)(target, from, bytes, stream));
    case cudaMemcpyDeviceToHost:
        return as_error(ON(per_thread, cuMemcpyDtoHAsync_v2, _ptsz)(to, source, bytes, stream));
    case cudaMemcpyDeviceToDevice:
        return as_error(ON(per_thread, cuMemcpyDtoDAsync_v2, _ptsz)(target, source, bytes, stream));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return as_error(ON(per_thread, cuMemcpyAsync, _ptsz)(target, source, bytes, stream));
    }
    return cudaErrorInvalidMemcpyDirection;
}

cudaError_t runtime_cudaMemset(bool per_thread, void *to, int value, size_t bytes) {
    unsigned char byte = (unsigned char)value;
    return as_error(ON(per_thread, cuMemsetD8_v2, _ptds)(address(to), byte, bytes));
}

cudaError_t runtime_cudaMemsetAsync(bool per_thread, void *to, int value, size_t bytes,
                                    cudaStream_t stream) {
    unsigned char byte = (unsigned char)value;
    return as_error(ON(per_thread, cuMemsetD8Async, _ptsz)(address(to), byte, bytes, stream));
}

/* ---- streams ---- */

cudaError_t runtime_cudaStreamCreate(cudaStream_t *stream) {
    return as_error(cuStreamCreate(stream, cudaStreamDefault));
}

cudaError_t runtime_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return as_error(cuStreamCreate(stream, flags));
}

cudaError_t runtime_cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                                 int priority) {
    return as_error(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t runtime_cudaStreamDestroy(cudaStream_t stream) {
    return as_error(cuStreamDestroy_v2(stream));
}

cudaError_t runtime_cudaStreamSynchronize(bool per_thread, cudaStream_t stream) {
    return as_error(ON(per_thread, cuStreamSynchronize, _ptsz)(stream));
}

cudaError_t runtime_cudaStreamQuery(bool per_thread, cudaStream_t stream) {
    return as_error(ON(per_thread, cuStreamQuery, _ptsz)(stream));
}

cudaError_t runtime_cudaStreamWaitEvent(bool per_thread, cudaStream_t stream, cudaEvent_t event,
                                        unsigned flags) {
    return as_error(ON(per_thread, cuStreamWaitEvent, _ptsz)(stream, event, flags));
}

cudaError_t runtime_cudaStreamGetFlags(bool per_thread, cudaStream_t stream, unsigned *flags) {
    return as_error(ON(per_thread, cuStreamGetFlags, _ptsz)(stream, flags));
}

cudaError_t runtime_cudaStreamGetPriority(bool per_thread, cudaStream_t stream, int *priority) {
    return as_error(ON(per_thread, cuStreamGetPriority, _ptsz)(stream, priority));
}

cudaError_t runtime_cudaStreamGetDevice(bool per_thread, cudaStream_t stream, int *device) {
    return as_error(ON(per_thread, cuStreamGetDevice, _ptsz)(stream, device));
}

cudaError_t runtime_cudaStreamIsCapturing(bool per_thread, cudaStream_t stream,
                                          enum cudaStreamCaptureStatus *status) {
    int capturing = 0;
    if (status == NULL) return cudaErrorInvalidValue;
    CUresult code = ON(per_thread, cuStreamIsCapturing, _ptsz)(stream, &capturing);
    if (code == CUDA_SUCCESS) *status = (enum cudaStreamCaptureStatus)capturing;
    return as_error(code);
}

/* An error's number is the same to both, and so is the callback. */
cudaError_t runtime_cudaStreamAddCallback(bool per_thread, cudaStream_t stream,
                                          cudaStreamCallback_t callback, void *data,
                                          unsigned flags) {
    CUstreamCallback function = (CUstreamCallback)(void (*)(void))callback;
    return as_error(ON(per_thread, cuStreamAddCallback, _ptsz)(stream, function, data, flags));
}

cudaError_t runtime_cudaLaunchHostFunc(bool per_thread, cudaStream_t stream, cudaHostFn_t function,
                                       void *data) {
    return as_error(ON(per_thread, cuLaunchHostFunc, _ptsz)(stream, function, data));
}

/* ---- events ---- */

cudaError_t runtime_cudaEventCreate(cudaEvent_t *event) {
    return as_error(cuEventCreate(event, cudaEventDefault));
}

cudaError_t runtime_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    return as_error(cuEventCreate(event, flags));
}

cudaError_t runtime_cudaEventDestroy(cudaEvent_t event) {
    return as_error(cuEventDestroy_v2(event));
}

cudaError_t runtime_cudaEventRecord(bool per_thread, cudaEvent_t event, cudaStream_t stream) {
    return as_error(ON(per_thread, cuEventRecord, _ptsz)(event, stream));
}

cudaError_t runtime_cudaEventRecordWithFlags(bool per_thread, cudaEvent_t event,
                                             cudaStream_t stream, unsigned flags) {
    return as_error(ON(per_thread, cuEventRecordWithFlags, _ptsz)(event, stream, flags));
}

cudaError_t runtime_cudaEventQuery(cudaEvent_t event) {
    return as_error(cuEventQuery(event));
}

cudaError_t runtime_cudaEventSynchronize(cudaEvent_t event) {
    return as_error(cuEventSynchronize(event));
}

cudaError_t runtime_cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return as_error(cuEventElapsedTime(milliseconds, start, end));
}

cudaError_t runtime_cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start,
                                            cudaEvent_t end) {
    return as_error(cuEventElapsedTime_v2(milliseconds, start, end));
}
