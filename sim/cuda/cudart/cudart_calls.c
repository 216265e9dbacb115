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

/* ---- what the driver has under another name ---- */

#define CALL(name, begin, parameters, ...)
#define STREAM(name, suffix, begin, parameters, ...)
#define PLAIN(type, name, parameters, ...)
#define FORWARD(name, begin, parameters, driver, ...)                                              \
    cudaError_t runtime_##name parameters {                                                        \
        return as_error(driver(__VA_ARGS__));                                                      \
    }
#define FORWARD_ON(name, suffix, begin, parameters, driver, ...)                                   \
    cudaError_t runtime_##name(bool per_thread, RUNTIME_REST parameters) {                         \
        return as_error(ON(per_thread, driver, suffix)(__VA_ARGS__));                              \
    }
#include "runtime.def"

/* ---- the device ---- */

cudaError_t runtime_cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    CUcontext context;
    cudaError_t code = runtime_primary(peer, &context);
    return code == cudaSuccess ? as_error(cuCtxEnablePeerAccess(context, flags)) : code;
}

cudaError_t runtime_cudaDeviceDisablePeerAccess(int peer) {
    CUcontext context;
    cudaError_t code = runtime_primary(peer, &context);
    return code == cudaSuccess ? as_error(cuCtxDisablePeerAccess(context)) : code;
}

cudaError_t runtime_cudaSetDeviceFlags(unsigned flags) {
    int device;
    CUresult code = cuCtxGetDevice(&device);
    return as_error(code == CUDA_SUCCESS ? cuDevicePrimaryCtxSetFlags_v2(device, flags) : code);
}

cudaError_t runtime_cudaGetDriverEntryPointByVersion(bool per_thread, const char *symbol,
                                                     void **function, unsigned version,
                                                     unsigned long long flags,
                                                     enum cudaDriverEntryPointQueryResult *status) {
    int found = 0;
    if (flags == cudaEnableDefault)
        flags = per_thread ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream;
    CUresult code = cuGetProcAddress_v2(symbol, function, (int)version, flags, &found);
    if (code == CUDA_SUCCESS && status != NULL)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return as_error(code);
}

cudaError_t runtime_cudaGetDriverEntryPoint(bool per_thread, const char *symbol, void **function,
                                            unsigned long long flags,
                                            enum cudaDriverEntryPointQueryResult *status) {
    int version;
    SIM_TRY(runtime_cudaRuntimeGetVersion(&version));
    return runtime_cudaGetDriverEntryPointByVersion(per_thread, symbol, function, (unsigned)version,
                                                    flags, status);
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

cudaError_t runtime_cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags) {
    CUdeviceptr same = 0;
    if (device == NULL) return cudaErrorInvalidValue;
    CUresult code = cuMemHostGetDevicePointer_v2(&same, pointer, flags);
    if (code == CUDA_SUCCESS) *device = (void *)(uintptr_t)same;
    return as_error(code);
}

cudaError_t runtime_cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    cudaError_t code = as_error(cuMemAllocManaged(&made, bytes, flags));
    if (code == cudaSuccess) *pointer = (void *)(uintptr_t)made;
    return code;
}

/* The structures of the driver by other names. */
_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps) &&
                   sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc) &&
                   sizeof(struct cudaMemLocation) == sizeof(CUmemLocation),
               "they are as large");

cudaError_t runtime_cudaMemPoolCreate(cudaMemPool_t *pool,
                                      const struct cudaMemPoolProps *properties) {
    return as_error(cuMemPoolCreate(pool, (const void *)properties));
}

cudaError_t runtime_cudaMemPoolSetAccess(cudaMemPool_t pool,
                                         const struct cudaMemAccessDesc *accesses, size_t n) {
    return as_error(cuMemPoolSetAccess(pool, (const void *)accesses, n));
}

cudaError_t runtime_cudaMemPoolGetAccess(int *access, cudaMemPool_t pool,
                                         struct cudaMemLocation *location) {
    return as_error(cuMemPoolGetAccess(access, pool, (void *)location));
}

cudaError_t runtime_cudaMallocFromPoolAsync(bool per_thread, void **pointer, size_t bytes,
                                            cudaMemPool_t pool, cudaStream_t stream) {
    CUdeviceptr made = 0;
    if (pointer == NULL) return cudaErrorInvalidValue;
    CUresult code = ON(per_thread, cuMemAllocFromPoolAsync, _ptsz)(&made, bytes, pool, stream);
    if (code == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)made;
    return as_error(code);
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

static cudaError_t primaries(int to, CUcontext *to_context, int from, CUcontext *from_context) {
    cudaError_t code = runtime_primary(to, to_context);
    return code == cudaSuccess ? runtime_primary(from, from_context) : code;
}

cudaError_t runtime_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                   size_t bytes) {
    CUcontext there, here;
    SIM_TRY(primaries(to_device, &there, from_device, &here));
    return as_error(cuMemcpyPeer(address(to), there, address(from), here, bytes));
}

cudaError_t runtime_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                        size_t bytes, cudaStream_t stream) {
    CUcontext there, here;
    SIM_TRY(primaries(to_device, &there, from_device, &here));
    return as_error(cuMemcpyPeerAsync(address(to), there, address(from), here, bytes, stream));
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

/* ---- events ---- */

cudaError_t runtime_cudaEventCreate(cudaEvent_t *event) {
    return as_error(cuEventCreate(event, cudaEventDefault));
}
