/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of dpctl's C interface to SYCL (libsyclinterface/include/syclinterface) as is used, under
 * its own names. A reference is a pointer to a SYCL object, of which nothing is known here.
 */
#ifndef DPCTL_ABI_H
#define DPCTL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DPCTLOpaqueSyclContext *DPCTLSyclContextRef;
typedef struct DPCTLOpaqueSyclDevice *DPCTLSyclDeviceRef;
typedef struct DPCTLOpaqueSyclDeviceSelector *DPCTLSyclDeviceSelectorRef;
typedef struct DPCTLOpaqueSyclEvent *DPCTLSyclEventRef;
typedef struct DPCTLOpaqueSyclPlatform *DPCTLSyclPlatformRef;
typedef struct DPCTLOpaqueSyclQueue *DPCTLSyclQueueRef;
typedef struct DPCTLOpaqueSyclUSM *DPCTLSyclUSMRef;
typedef struct DPCTLOpaqueDeviceVector *DPCTLDeviceVectorRef;
typedef struct DPCTLOpaqueEventVector *DPCTLEventVectorRef;
typedef struct DPCTLOpaquePlatformVector *DPCTLPlatformVectorRef;

typedef void error_handler_callback(int code);

typedef enum {
    DPCTL_USM_UNKNOWN,
    DPCTL_USM_DEVICE,
    DPCTL_USM_SHARED,
    DPCTL_USM_HOST,
} DPCTLSyclUSMType;

typedef enum {
    DPCTL_UNKNOWN_BACKEND = 0,
    DPCTL_CUDA = 1 << 16,
    DPCTL_LEVEL_ZERO = 1 << 17,
    DPCTL_OPENCL = 1 << 18,
    DPCTL_HIP = 1 << 19,
    DPCTL_ALL_BACKENDS = 31 << 16,
} DPCTLSyclBackendType;

typedef enum {
    DPCTL_UNKNOWN_DEVICE = 0,
    DPCTL_ACCELERATOR = 1 << 0,
    DPCTL_AUTOMATIC = 1 << 1,
    DPCTL_CPU = 1 << 2,
    DPCTL_CUSTOM = 1 << 3,
    DPCTL_GPU = 1 << 4,
    DPCTL_ALL = 63,
} DPCTLSyclDeviceType;

typedef enum {
    DPCTL_DEFAULT_PROPERTY = 0,
    DPCTL_ENABLE_PROFILING = 1 << 0,
    DPCTL_IN_ORDER = 1 << 1,
} DPCTLQueuePropertyType;

typedef enum {
    DPCTL_UNKNOWN_STATUS,
    DPCTL_SUBMITTED,
    DPCTL_RUNNING,
    DPCTL_COMPLETE,
} DPCTLSyclEventStatusType;

/* DPCTLSyclAspectType, those that the simulated device has. */
enum {
    DPCTL_ASPECT_GPU = 2,
    DPCTL_ASPECT_FP16 = 5,
    DPCTL_ASPECT_FP64 = 6,
    DPCTL_ASPECT_ATOMIC64 = 7,
    DPCTL_ASPECT_PROFILING = 11,
    DPCTL_ASPECT_USM_DEVICE = 12,
    DPCTL_ASPECT_USM_HOST = 13,
    DPCTL_ASPECT_USM_SHARED = 14,
};

/* What dpctl.def has. */
#define CALL(type, fails, name, begin, parameters, ...) type name parameters;
#define VOID(name, begin, parameters, ...)              void name parameters;
#define PLAIN(type, name, parameters, ...)              type name parameters;
#define QUIET(name, parameters, ...)                    void name parameters;
#define VECTOR(element)                                                                            \
    DPCTL##element##VectorRef DPCTL##element##Vector_Create(void);                                 \
    DPCTL##element##VectorRef DPCTL##element##Vector_CreateFromArray(                              \
        size_t n, DPCTLSycl##element##Ref *elements);                                              \
    void DPCTL##element##Vector_Delete(DPCTL##element##VectorRef vector);                          \
    void DPCTL##element##Vector_Clear(DPCTL##element##VectorRef vector);                           \
    size_t DPCTL##element##Vector_Size(DPCTL##element##VectorRef vector);                          \
    DPCTLSycl##element##Ref DPCTL##element##Vector_GetAt(DPCTL##element##VectorRef vector,         \
                                                         size_t index);
#include "dpctl.def"
#undef CALL
#undef VOID
#undef PLAIN
#undef QUIET
#undef VECTOR

#endif /* DPCTL_ABI_H */
