/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls all that the runtime does not serve, and what it serves of streams, events and handles
 * besides. It returns 0 if each of them answers what it should, and cudaGetLastError says it once
 * more.
 */
#include <stdio.h>

#include "cudart_abi.h"

#define UNSERVED(name)            cudaError_t name(void);
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "cudart/unserved.def"
#undef UNSERVED
#undef UNSERVED_ON

static const struct {
    const char *name;
    cudaError_t (*call)(void);
} calls[] = {
#define UNSERVED(name)            {#name, name},
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "cudart/unserved.def"
};

static int is_known(cudaStream_t stream) {
    int least, greatest, priority, device;
    unsigned flags;
    enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
    return cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && least > greatest &&
           cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == greatest &&
           cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking &&
           cudaStreamGetFlags_ptsz(NULL, &flags) == cudaSuccess && flags == cudaStreamDefault &&
           cudaStreamGetDevice(stream, &device) == cudaSuccess && device == 0 &&
           cudaStreamIsCapturing(stream, &capturing) == cudaSuccess &&
           capturing == cudaStreamCaptureStatusNone;
}

/* In one process: a driver opens no handle in the process that it is of. */
static int is_not_shared(void) {
    cudaIpcMemHandle_t handle, garbage = {{0}};
    void *memory, *opened;
    unsigned flags = cudaIpcMemLazyEnablePeerAccess;
    if (cudaMalloc(&memory, 64) != cudaSuccess) return 0;
    return cudaIpcGetMemHandle(&handle, memory) == cudaSuccess &&
           cudaIpcOpenMemHandle(&opened, handle, flags) == cudaErrorDeviceUninitialized &&
           cudaIpcOpenMemHandle(&opened, garbage, flags) == cudaErrorInvalidResourceHandle &&
           cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue &&
           cudaFree(memory) == cudaSuccess;
}

/* Time is virtual, and passes with each command. */
static int is_timed(cudaStream_t stream) {
    cudaEvent_t start, end;
    float one = 0, two = 0;
    if (cudaEventCreate(&start) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) return 0;
    int recorded = cudaEventRecordWithFlags(start, stream, cudaEventRecordDefault) == cudaSuccess &&
                   cudaEventRecordWithFlags(end, stream, 8) == cudaErrorInvalidValue &&
                   cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal) == cudaSuccess &&
                   cudaEventSynchronize(end) == cudaSuccess;
    return recorded && cudaEventElapsedTime(&one, start, end) == cudaSuccess &&
           cudaEventElapsedTime_v2(&two, start, end) == cudaSuccess && one > 0 && one == two &&
           cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess;
}

int main(void) {
    cudaStream_t stream;
    if (cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100) != cudaSuccess) return 2;
    if (!is_known(stream) || !is_timed(stream) || !is_not_shared()) return 3;
    if (cudaStreamDestroy(stream) != cudaSuccess) return 4;
    cudaGetLastError();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].call() == cudaErrorNotSupported && cudaGetLastError() == cudaErrorNotSupported)
            continue;
        fprintf(stderr, "unserved: %s\n", calls[i].name);
        return 5;
    }
    return 0;
}
