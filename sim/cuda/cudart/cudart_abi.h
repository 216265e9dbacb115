/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's interface as far as it is served here (runtime.def), for programs to be compiled
 * with. What a function does is NVIDIA's to say (CUDA Runtime API).
 */
#ifndef SIM_CUDA_CUDART_ABI_H
#define SIM_CUDA_CUDART_ABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's numbers, where it has the same error. ERROR(name, number) */
#define CUDART_ERRORS(ERROR)                                                                       \
    ERROR(cudaSuccess, 0)                                                                          \
    ERROR(cudaErrorInvalidValue, 1)                                                                \
    ERROR(cudaErrorMemoryAllocation, 2)                                                            \
    ERROR(cudaErrorInitializationError, 3)                                                         \
    ERROR(cudaErrorCudartUnloading, 4)                                                             \
    ERROR(cudaErrorInvalidPitchValue, 12)                                                          \
    ERROR(cudaErrorInvalidMemcpyDirection, 21)                                                     \
    ERROR(cudaErrorInsufficientDriver, 35)                                                         \
    ERROR(cudaErrorDevicesUnavailable, 46)                                                         \
    ERROR(cudaErrorNoDevice, 100)                                                                  \
    ERROR(cudaErrorInvalidDevice, 101)                                                             \
    ERROR(cudaErrorDeviceUninitialized, 201)                                                       \
    ERROR(cudaErrorInvalidResourceHandle, 400)                                                     \
    ERROR(cudaErrorSymbolNotFound, 500)                                                            \
    ERROR(cudaErrorNotReady, 600)                                                                  \
    ERROR(cudaErrorPeerAccessAlreadyEnabled, 704)                                                  \
    ERROR(cudaErrorPeerAccessNotEnabled, 705)                                                      \
    ERROR(cudaErrorContextIsDestroyed, 709)                                                        \
    ERROR(cudaErrorHostMemoryAlreadyRegistered, 712)                                               \
    ERROR(cudaErrorHostMemoryNotRegistered, 713)                                                   \
    ERROR(cudaErrorLaunchFailure, 719)                                                             \
    ERROR(cudaErrorNotPermitted, 800)                                                              \
    ERROR(cudaErrorNotSupported, 801)                                                              \
    ERROR(cudaErrorUnknown, 999)

typedef enum cudaError {
#define CUDART_ERROR(name, number) name = number,
    CUDART_ERRORS(CUDART_ERROR)
#undef CUDART_ERROR
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged,
};

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated,
};

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent,
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

struct cudaMemLocation {
    int type, id;
};

struct cudaMemPoolProps {
    int allocType, handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};

struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    int flags;
};

typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;

enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0,
    cudaEventRecordExternal = 1,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaEnableDefault = 0,
    cudaEnableLegacyStream = 1,
    cudaEnablePerThreadDefaultStream = 2,
    cudaIpcMemLazyEnablePeerAccess = 1,
    cudaMemAllocationTypePinned = 1,
    cudaMemLocationTypeDevice = 1,
    cudaMemAccessFlagsProtReadWrite = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrUsedMemCurrent = 7,
};

typedef struct driver_stream_of *cudaStream_t;
typedef struct driver_event_of *cudaEvent_t;
typedef struct driver_pool_of *cudaMemPool_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamLegacy    ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

#define CUDART_PUBLIC                      __attribute__((visibility("default")))
#define CALL(name, begin, parameters, ...) CUDART_PUBLIC cudaError_t name parameters;
#define STREAM(name, suffix, begin, parameters, ...)                                               \
    CUDART_PUBLIC cudaError_t name parameters;                                                     \
    CUDART_PUBLIC cudaError_t name##suffix parameters;
#define PLAIN(type, name, parameters, ...) CUDART_PUBLIC type name parameters;
#include "runtime.def"

#ifdef __cplusplus
}
#endif

#endif /* SIM_CUDA_CUDART_ABI_H */
