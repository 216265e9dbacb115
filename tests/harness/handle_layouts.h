/* SPDX-License-Identifier: Apache-2.0
 *
 * The structures of harness/handles.def that ref/abi.h does not define, so that their numbers can
 * be checked: ArrowAsyncProducer as it is printed, and DLPack's of 1.0 to 1.3.
 */
#ifndef HANDLE_LAYOUTS_H
#define HANDLE_LAYOUTS_H

#include <stdint.h>

#include "abi.h"

struct adi_published_producer {
    ArrowDeviceType device_type;
    void (*request)(struct adi_published_producer *, int64_t);
    void (*cancel)(struct adi_published_producer *);
    void (*release)(struct adi_published_producer *);
    const char *additional_metadata;
    void *private_data;
};

struct dl_tensor {
    void *data;
    struct {
        int32_t device_type, device_id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

struct DLManagedTensor {
    struct dl_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *);
};

struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *);
    uint64_t flags;
    struct dl_tensor dl_tensor;
};

#endif /* HANDLE_LAYOUTS_H */
