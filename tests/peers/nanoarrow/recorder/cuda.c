/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const char *function;
    int times;
} calls[32];

static int *counter(const char *function) {
    size_t i = 0;
    while (calls[i].function != NULL && strcmp(calls[i].function, function) != 0) i++;
    calls[i].function = function;
    return &calls[i].times;
}

int calls_of(const char *function) {
    return *counter(function);
}

int waits_of_the_host(void) {
    return calls_of("cuEventSynchronize") + calls_of("cuStreamSynchronize");
}

#define CALL(name, parameters, ...)                                                                \
    CUresult name parameters {                                                                     \
        ++*counter(#name);                                                                         \
        __VA_ARGS__;                                                                               \
        return CUDA_SUCCESS;                                                                       \
    }

/* A copy that cannot be is refused, as by a driver. */
#define COPY(name, parameters, to, from, bytes)                                                    \
    CALL(name, parameters, if (bytes > 0 && (void *)to == NULL) return CUDA_ERROR_INVALID_VALUE;   \
         if (bytes > 0) memcpy((void *)to, (const void *)from, bytes))

CALL(cuInit, (unsigned flags), (void)flags)
CALL(cuGetErrorName, (CUresult error, const char **name), *name = error ? "an error" : "success")
CALL(cuGetErrorString, (CUresult error, const char **text), *text = error ? "an error" : "success")
CALL(cuDeviceGetCount, (int *count), *count = 2)
CALL(cuDeviceGet, (CUdevice * device, int ordinal), *device = ordinal)
CALL(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), (void)device, *context = 0)
CALL(cuDevicePrimaryCtxRelease, (CUdevice device), (void)device)
CALL(cuCtxPushCurrent, (CUcontext context), (void)context)
CALL(cuCtxPopCurrent, (CUcontext * context), *context = NULL)
CALL(cuMemAllocAsync, (CUdeviceptr * pointer, size_t bytes, CUstream stream), (void)stream,
     *pointer = (CUdeviceptr)malloc(bytes))
CALL(cuMemAllocHost, (void **pointer, size_t bytes), *pointer = malloc(bytes))
CALL(cuMemFree, (CUdeviceptr pointer), free((void *)pointer))
CALL(cuMemFreeHost, (void *pointer), free(pointer))
COPY(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream), to, from,
     bytes)
COPY(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream), to, from,
     bytes)
COPY(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream), to, from,
     bytes)
COPY(cuMemcpyPeerAsync,
     (CUdeviceptr to, CUcontext at, CUdeviceptr from, CUcontext of, size_t bytes, CUstream stream),
     to, from, bytes)
CALL(cuEventCreate, (CUevent * event, unsigned flags), (void)flags, *event = (CUevent)calls)
CALL(cuEventRecord, (CUevent event, CUstream stream), (void)event, (void)stream)
CALL(cuEventSynchronize, (CUevent event), (void)event)
CALL(cuEventDestroy, (CUevent event), (void)event)
CALL(cuStreamCreate, (CUstream * stream, unsigned flags), (void)flags, *stream = (CUstream)calls)
CALL(cuStreamSynchronize, (CUstream stream), (void)stream)
CALL(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), (void)stream, (void)event,
     (void)flags)
