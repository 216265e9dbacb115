/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of CUDA that counts its calls: what nanoarrow's device needs of cuda.h, for the programs
 * in ../repro. Memory of the device is memory of the program, and a copy is done at once.
 */
#ifndef RECORDER_CUDA_H
#define RECORDER_CUDA_H

#include <stddef.h>

typedef enum {
    CUDA_SUCCESS,
    CUDA_ERROR_INVALID_VALUE
} CUresult;
typedef int CUdevice;
typedef size_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

enum {
    CU_EVENT_WAIT_DEFAULT = 0,
    CU_STREAM_DEFAULT = 0,
    CU_EVENT_DISABLE_TIMING = 2
};

CUresult cuInit(unsigned flags);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream);
CUresult cuMemAllocHost(void **pointer, size_t bytes);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemFreeHost(void *pointer);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext at, CUdeviceptr from, CUcontext of,
                           size_t bytes, CUstream stream);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventDestroy(CUevent event);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);

/* How often a function was called by now. */
int calls_of(const char *function);

/* The same of all that lets the host wait for a stream or an event. */
int waits_of_the_host(void);

#endif /* RECORDER_CUDA_H */
