/* SPDX-License-Identifier: Apache-2.0
 *
 * The HIP runtime's interface as far as it is served here: types and numbers that programs are
 * compiled with, and the functions of hip.def. What a function does is AMD's to say (HIP Runtime
 * API); what the simulation does otherwise is in docs/simulation.md.
 */
#ifndef SIM_HIP_ABI_H
#define SIM_HIP_ABI_H

#include "../driver/driver_abi.h"

#define HIP_PUBLIC __attribute__((visibility("default")))

typedef enum {
#define ERROR(name, number, string) name = number,
#include "hip_errors.def"
#undef ERROR
} hipError_t;

typedef driver_context hipCtx_t;
typedef driver_stream hipStream_t;
typedef driver_event hipEvent_t;
typedef driver_pool hipMemPool_t;
typedef driver_uuid hipUUID;
typedef driver_ipc_handle hipIpcMemHandle_t;
typedef driver_pool_kind hipMemPoolProps;
typedef driver_access hipMemAccessDesc;
typedef driver_location hipMemLocation;
typedef driver_host_function hipHostFn_t;
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *data);

typedef struct {
    int type; /* its numbers changed with 6.0 */
    int device;
    void *devicePointer, *hostPointer;
    int isManaged;
    unsigned allocationFlags;
} hipPointerAttribute_t;

#define hipStreamLegacy    DRIVER_STREAM_LEGACY
#define hipStreamPerThread DRIVER_STREAM_PER_THREAD

enum {
    hipStreamNonBlocking = 1,

    hipEventDisableTiming = 2,
    hipEventDisableSystemFence = 0x20000000,
    hipEventReleaseToDevice = 0x40000000,

    hipHostMallocFlags = 7, /* portable, mapped, write-combined */
    hipHostMallocUncached = 0x10000000,
    hipHostMallocNumaUser = 0x20000000,
    hipHostMallocCoherent = 0x40000000,

    hipMemAttachGlobal = 1,
    hipExtMallocFlags = 4, /* the last of them */

    hipMemcpyDefault = 4,
    hipMemcpyDeviceToDeviceNoCU = 1024,

    hipInvalidDeviceId = -2,
};
#define hipEventReleaseToSystem  0x80000000U
#define hipHostMallocNonCoherent 0x80000000U

#define CALL(node, name, begin, parameters, ...) HIP_PUBLIC hipError_t name parameters;
#define STREAM(node, spt, name, begin, parameters, ...)                                            \
    HIP_PUBLIC hipError_t name parameters;                                                         \
    HIP_PUBLIC hipError_t name##_spt parameters;
#define PLAIN(node, type, name, parameters, ...) HIP_PUBLIC type name parameters;
#include "hip.def"

#endif /* SIM_HIP_ABI_H */
