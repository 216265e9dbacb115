/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "dlpack_extent.h"

/* DLH-07, DLH-08, DLH-09: some device types say how the memory was allocated. */
int adi_dlpack_memory_check(struct adi_device *device, const DLTensor *tensor,
                            struct adi_error *error) {
    int type = (int)tensor->device.device_type;
    bool is_pinned = type == kDLCUDAHost || type == kDLROCMHost;
    struct adi_pointer_attributes attributes;
    struct adi_dlpack_extent extent;
    const void *first;
    int64_t offset;
    if ((!is_pinned && type != kDLCUDAManaged) || !ADI_DEVICE_HAS(device->ops, pointer_attributes))
        return 0;
    ADI_TRY(adi_dlpack_measure(tensor, (DLPackVersion){0, 0}, 0, &extent, error));
    if (extent.count == 0) return 0;
    ADI_TRY(adi_dlpack_place(device, tensor, &extent, extent.low, &first, &offset, error));
    int code = device->ops->pointer_attributes(device, first, &attributes, NULL);
    if (code == 0 && (is_pinned ? attributes.is_host : attributes.is_managed)) return 0;
    return adi_error_set(error, EFAULT, "%s",
                         code != 0               ? "the runtime does not know the memory"
                         : attributes.is_managed ? "it is managed memory"
                         : attributes.is_host    ? "it is host memory"
                                                 : "it is memory of the device");
}
