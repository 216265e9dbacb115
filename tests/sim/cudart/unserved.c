/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls all that the runtime does not serve, and what it serves of streams, events, handles,
 * memory and devices besides. It returns 0 if each of them answers what it should, and
 * cudaGetLastError says it once more.
 */
#include <stdio.h>

#include "cudart_abi.h"

#define UNSERVED(name)            cudaError_t name(void);
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "cudart/cudart_unserved.def"
#undef UNSERVED
#undef UNSERVED_ON

static const struct {
    const char *name;
    cudaError_t (*call)(void);
} calls[] = {
#define UNSERVED(name)            {#name, name},
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "cudart/cudart_unserved.def"
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

static int is_registered(cudaStream_t stream) {
    static char own[64], out[64];
    struct cudaPointerAttributes seen;
    void *same, *memory;
    if (cudaMalloc(&memory, sizeof own) != cudaSuccess) return 0;
    own[63] = 5;
    return cudaHostGetDevicePointer(&same, own, 0) == cudaErrorInvalidValue &&
           cudaHostRegister(own, sizeof own, cudaHostRegisterDefault) == cudaSuccess &&
           cudaHostRegister(own, 1, 0) == cudaErrorHostMemoryAlreadyRegistered &&
           cudaHostGetDevicePointer(&same, own, 0) == cudaSuccess && same == own &&
           cudaPointerGetAttributes(&seen, own) == cudaSuccess && seen.type == cudaMemoryTypeHost &&
           cudaMemcpyAsync(memory, own, 64, cudaMemcpyHostToDevice, stream) == cudaSuccess &&
           cudaMemcpyAsync(out, memory, 64, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
           out[63] == 5 && cudaHostUnregister(own) == cudaSuccess &&
           cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered &&
           cudaFree(memory) == cudaSuccess;
}

static int is_in_rows(cudaStream_t stream) {
    static char in[3][5] = {"abcd", "efgh", "ijkl"}, out[3][5];
    const enum cudaMemcpyKind no_kind = (enum cudaMemcpyKind)5, back = cudaMemcpyDeviceToHost;
    char *rows;
    void *made;
    size_t pitch = 0;
    unsigned flags = 0;
    if (cudaMallocPitch(&made, &pitch, 5, 3) != cudaSuccess || pitch != 512) return 0;
    rows = made;
    return cudaMemcpy2D(rows, pitch, in, 5, 5, 3, cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess &&
           cudaMemcpy2DAsync(out, 5, rows, pitch, 5, 3, back, stream) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess && out[2][3] == 'l' && out[1][0] == 'e' &&
           cudaMemcpy2D(out, 5, rows + 1, pitch, 2, 2, cudaMemcpyDefault) == cudaSuccess &&
           out[1][1] == 'g' && out[1][2] == 'g' && out[2][0] == 'i' &&
           cudaMemcpy2D(out, 4, rows, pitch, 5, 3, back) == cudaErrorInvalidPitchValue &&
           cudaMemcpy2D(out, 5, rows, pitch, 5, 3, no_kind) == cudaErrorInvalidMemcpyDirection &&
           cudaMallocPitch(&made, &pitch, 0, 3) == cudaErrorInvalidValue &&
           cudaHostGetFlags(&flags, out) == cudaErrorInvalidValue &&
           cudaHostRegister(out, sizeof out, 0) == cudaSuccess &&
           cudaHostGetFlags(&flags, out) == cudaSuccess && flags == 2 &&
           cudaHostUnregister(out) == cudaSuccess && cudaFree(rows) == cudaSuccess;
}

static int is_copied_between_devices(cudaStream_t stream) {
    void *here, *there;
    char byte = 0;
    int set = cudaMalloc(&here, 64) == cudaSuccess && cudaSetDevice(1) == cudaSuccess &&
              cudaMalloc(&there, 64) == cudaSuccess && cudaSetDevice(0) == cudaSuccess;
    return set && cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess &&
           cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled &&
           cudaDeviceDisablePeerAccess(1) == cudaSuccess &&
           cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled &&
           cudaMemset(here, 7, 64) == cudaSuccess &&
           cudaMemcpyPeer(there, 1, here, 2, 64) == cudaErrorInvalidDevice &&
           cudaMemcpyPeer(there, 1, here, 0, 64) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess &&
           cudaMemcpyPeerAsync(here, 0, there, 1, 32, stream) == cudaSuccess &&
           cudaMemcpyAsync(&byte, here, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
           byte == 7 && cudaFree(here) == cudaSuccess && cudaFree(there) == cudaSuccess;
}

static int is_numbered(cudaStream_t stream) {
    unsigned long long one, two, three;
    return cudaStreamGetId(stream, &one) == cudaSuccess &&
           cudaStreamGetId(NULL, &two) == cudaSuccess &&
           cudaStreamGetId_ptsz(NULL, &three) == cudaSuccess && one != two && two != three &&
           one != three;
}

static int is_the_device(void) {
    char id[32];
    int device = -1, value = -1;
    unsigned flags = 1;
    return cudaDeviceGetPCIBusId(id, sizeof id, 1) == cudaSuccess &&
           cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess && device == 1 &&
           cudaDeviceGetP2PAttribute(&value, 2, 0, 1) == cudaSuccess && value == 1 &&
           cudaGetDeviceFlags(&flags) == cudaSuccess && flags == 0 &&
           cudaSetDeviceFlags(3) == cudaErrorInvalidValue && cudaSetDeviceFlags(4) == cudaSuccess &&
           cudaGetDeviceFlags(&flags) == cudaSuccess && flags == 4 &&
           cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess &&
           cudaThreadSynchronize() == cudaSuccess;
}

/* By name: the driver's own functions. */
static int is_found(void) {
    enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
    void *function = NULL, *other = NULL;
    return cudaGetDriverEntryPoint("cuStreamQuery", &function, cudaEnableDefault, &status) ==
               cudaSuccess &&
           status == cudaDriverEntryPointSuccess && function != NULL &&
           cudaGetDriverEntryPoint_ptsz("cuStreamQuery", &other, cudaEnableDefault, NULL) ==
               cudaSuccess &&
           other != NULL && other != function &&
           cudaGetDriverEntryPoint("cuNothing", &other, 0, &status) == cudaSuccess &&
           status == cudaDriverEntryPointSymbolNotFound &&
           cudaGetDriverEntryPointByVersion("cuStreamGetId", &other, 11000, 0, &status) ==
               cudaSuccess &&
           status == cudaDriverEntryPointVersionNotSufficent &&
           cudaGetDriverEntryPointByVersion(NULL, &other, 12000, 0, NULL) == cudaErrorInvalidValue;
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

/* A pool is the driver's. */
static int is_pooled(cudaStream_t stream) {
    const struct cudaMemPoolProps wanted = {.allocType = cudaMemAllocationTypePinned,
                                            .location = {cudaMemLocationTypeDevice, 0}};
    const struct cudaMemAccessDesc second = {{cudaMemLocationTypeDevice, 1},
                                             cudaMemAccessFlagsProtReadWrite};
    struct cudaMemLocation at = {cudaMemLocationTypeDevice, 1};
    cudaMemPool_t pool, current;
    void *memory, *other;
    unsigned long long used = 0, keep = 64;
    int access = 0;
    if (cudaMemPoolCreate(&pool, &wanted) != cudaSuccess) return 0;
    return cudaMallocFromPoolAsync(&memory, 64, pool, stream) == cudaSuccess &&
           cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess &&
           used == 64 && cudaFreeAsync(memory, stream) == cudaSuccess &&
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess &&
           cudaMemPoolTrimTo(pool, 0) == cudaSuccess &&
           cudaMemPoolSetAccess(pool, &second, 1) == cudaSuccess &&
           cudaMemPoolGetAccess(&access, pool, &at) == cudaSuccess &&
           access == cudaMemAccessFlagsProtReadWrite &&
           cudaDeviceSetMemPool(0, pool) == cudaSuccess &&
           cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == pool &&
           cudaMallocAsync(&other, 32, stream) == cudaSuccess &&
           cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess &&
           used == 32 && cudaFreeAsync(other, stream) == cudaSuccess &&
           cudaMemPoolDestroy(pool) == cudaSuccess &&
           cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
           cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == pool;
}

int main(void) {
    cudaStream_t stream;
    if (cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100) != cudaSuccess) return 2;
    if (!is_known(stream) || !is_timed(stream) || !is_not_shared()) return 3;
    if (!is_registered(stream) || !is_copied_between_devices(stream)) return 6;
    if (!is_numbered(stream) || !is_the_device() || !is_found()) return 7;
    if (!is_pooled(stream)) return 8;
    if (!is_in_rows(stream)) return 9;
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
