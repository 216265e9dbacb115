/* SPDX-License-Identifier: Apache-2.0
 *
 * The structures of DLPack: the tensor of before 1.0 and that of 1.0 to 1.3, codes, flags, and the
 * exchange API of 1.3, under the guard of dlpack.h, so that this header and any copy of that one
 * can be included in one file in either order: what comes second adds what the first lacks. C99
 * and C++11.
 *
 * The layouts are those of dlpack.h 1.3 (dmlc/dlpack at 84d107bf416c). After an older
 * dlpack.h the tensor of 1.0 and the flags that it lacks are added; codes and the exchange API are
 * as old as that header then. Managed tensors are written with `struct`: older headers have no
 * other name.
 */
#ifndef ADI_DLPACK_ABI_H
#define ADI_DLPACK_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
#define ADI_DLPACK_IS_OURS /* nobody else's dlpack.h came first */

#ifdef __cplusplus
#define DLPACK_EXTERN_C extern "C"
#define ADI_DLPACK_ENUM enum : int32_t
#else
#define DLPACK_EXTERN_C
#define ADI_DLPACK_ENUM enum
#endif
#define DLPACK_DLL

/* dlpack.h, "DLDeviceType". The first fourteen are Arrow's, too; Arrow has no 17 and no 18. */
/* clang-format off */
typedef ADI_DLPACK_ENUM {
    kDLCPU = 1,
    kDLCUDA = 2,
    kDLCUDAHost = 3,
    kDLOpenCL = 4,
    kDLVulkan = 7,
    kDLMetal = 8,
    kDLVPI = 9,
    kDLROCM = 10,
    kDLROCMHost = 11,
    kDLExtDev = 12,
    kDLCUDAManaged = 13,
    kDLOneAPI = 14,
    kDLWebGPU = 15,
    kDLHexagon = 16,
    kDLMAIA = 17,
    kDLTrn = 18
} DLDeviceType;
/* clang-format on */

typedef struct {
    DLDeviceType device_type;
    int32_t device_id; /* 0 for memory of the CPU, pinned and managed memory */
} DLDevice;

/* dlpack.h, "DLDataTypeCode". From kDLFloat8_e3m4 on they came with 1.1. */
typedef enum {
    kDLInt = 0,
    kDLUInt = 1,
    kDLFloat = 2,
    kDLOpaqueHandle = 3,
    kDLBfloat = 4,
    kDLComplex = 5,
    kDLBool = 6,
    kDLFloat8_e3m4 = 7,
    kDLFloat8_e4m3 = 8,
    kDLFloat8_e4m3b11fnuz = 9,
    kDLFloat8_e4m3fn = 10,
    kDLFloat8_e4m3fnuz = 11,
    kDLFloat8_e5m2 = 12,
    kDLFloat8_e5m2fnuz = 13,
    kDLFloat8_e8m0fnu = 14,
    kDLFloat6_e2m3fn = 15,
    kDLFloat6_e3m2fn = 16,
    kDLFloat4_e2m1fn = 17
} DLDataTypeCode;

/* An element has `lanes` values of `bits` bits each, in the machine's own byte order. */
typedef struct {
    uint8_t code; /* a DLDataTypeCode */
    uint8_t bits;
    uint16_t lanes;
} DLDataType;

/* dlpack.h, "DLTensor". The first element lies `byte_offset` bytes behind `data`, which may be an
 * opaque handle; strides are in elements. */
typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;   /* `ndim` of them; may be NULL if that is 0 */
    int64_t *strides; /* likewise; up to 1.1 also NULL if row-major and compact */
    uint64_t byte_offset;
} DLTensor;

/* dlpack.h, "DLManagedTensor": before 1.0. The deleter, which may be NULL, frees the structure. */
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#endif /* DLPACK_DLPACK_H_ */

#ifndef DLPACK_MAJOR_VERSION
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3

typedef struct {
    uint32_t major;
    uint32_t minor;
} DLPackVersion;

/* dlpack.h, "DLManagedTensorVersioned": what stands before `flags`, and these, stay where they are
 * in every version. Of another major version nothing but `version` and `deleter` may be used. */
typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif /* DLPACK_MAJOR_VERSION */

/* dlpack.h, "DLManagedTensorVersioned.flags": two of 1.0, and one of 1.1. */
#ifndef DLPACK_FLAG_BITMASK_READ_ONLY
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#endif
#ifndef DLPACK_FLAG_BITMASK_IS_COPIED
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#endif
#ifndef DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)
#endif

#ifdef ADI_DLPACK_IS_OURS

/* dlpack.h, "DLPackExchangeAPI": functions over Python objects, 0 or -1 with an exception set. None
 * of them synchronizes. */
typedef int (*DLPackManagedTensorAllocator)(DLTensor *prototype,
                                            struct DLManagedTensorVersioned **out, void *error_ctx,
                                            void (*SetError)(void *error_ctx, const char *kind,
                                                             const char *message));
typedef int (*DLPackManagedTensorFromPyObjectNoSync)(void *py_object,
                                                     struct DLManagedTensorVersioned **out);
typedef int (*DLPackDLTensorFromPyObjectNoSync)(void *py_object, DLTensor *out);
typedef int (*DLPackCurrentWorkStream)(DLDeviceType device_type, int32_t device_id,
                                       void **out_current_stream);
typedef int (*DLPackManagedTensorToPyObjectNoSync)(struct DLManagedTensorVersioned *tensor,
                                                   void **out_py_object);

typedef struct DLPackExchangeAPIHeader {
    DLPackVersion version;
    struct DLPackExchangeAPIHeader *prev_api; /* an older table; NULL: none */
} DLPackExchangeAPIHeader;

typedef struct DLPackExchangeAPI {
    DLPackExchangeAPIHeader header;
    DLPackManagedTensorAllocator managed_tensor_allocator;
    DLPackManagedTensorFromPyObjectNoSync managed_tensor_from_py_object_no_sync;
    DLPackManagedTensorToPyObjectNoSync managed_tensor_to_py_object_no_sync;
    DLPackDLTensorFromPyObjectNoSync dltensor_from_py_object_no_sync; /* may be NULL */
    DLPackCurrentWorkStream current_work_stream;
} DLPackExchangeAPI;

#endif /* ADI_DLPACK_IS_OURS */

#ifdef __cplusplus
}
#endif

#endif /* ADI_DLPACK_ABI_H */
