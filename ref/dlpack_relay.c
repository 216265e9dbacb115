/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "dlpack_extent.h"
#include "dlpack_source.h"
#include "dlpack_stream.h"
#include "dlpack_type.h"

static void describe(struct adi_dlpack_source *source, const DLTensor *tensor, uint64_t flags,
                     const struct adi_dlpack_extent *extent) {
    source->flags = adi_dlpack_memory_flags(tensor->dtype, flags);
    source->tensor.data = tensor->data;
    source->tensor.byte_offset = tensor->byte_offset;
    source->tensor.device = tensor->device;
    source->tensor.dtype = tensor->dtype;
    source->is_empty = extent->count == 0;
    for (int i = 0; i < tensor->ndim; i++) {
        source->tensor.shape[i] = tensor->shape[i];
        source->tensor.strides[i] = extent->strides[i];
    }
}

int adi_dlpack_relay(struct adi_device *device, struct adi_dlpack *in,
                     const struct adi_dlpack_arguments *arguments, struct adi_dlpack_source **out,
                     struct adi_error *error) {
    const DLTensor *tensor;
    DLPackVersion version;
    uint64_t flags;
    struct adi_dlpack_extent extent;
    struct adi_dlpack_queue queue;
    ADI_TRY(adi_dlpack_look(in, &tensor, &version, &flags, error));
    if (device != NULL) ADI_TRY(adi_dlpack_device_check(device, tensor->device, error));
    ADI_TRY(adi_dlpack_measure(tensor, version, flags, &extent, error));
    ADI_TRY(adi_dlpack_stream((int)tensor->device.device_type, arguments->stream, &queue, error));
    enum adi_dlpack_access access =
        (flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ? ADI_DLPACK_READ_ONLY : ADI_DLPACK_WRITABLE;
    struct adi_dlpack_source *source = adi_dlpack_source_new(device, tensor->ndim, access, error);
    if (source == NULL) return ENOMEM;
    int code = adi_dlpack_record(device, queue, &source->copy.event, error);
    if (code != 0) {
        adi_dlpack_close(source);
        return code;
    }
    describe(source, tensor, flags, &extent);
    source->copy.device = device;
    source->event = source->copy.event;
    source->relayed = *in;
    *in = (struct adi_dlpack){NULL, NULL};
    *out = source;
    return 0;
}
