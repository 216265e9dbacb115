/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack_copy.h"

#include <errno.h>
#include <stdlib.h>

#include "device_types.h"
#include "dlpack_extent.h"
#include "dlpack_type.h"

void adi_dlpack_copy_free(struct adi_dlpack_copy *copy) {
    struct adi_device *device = copy->device;
    if (copy->event != NULL) device->ops->event_free(device, copy->event);
    if (copy->buffer != NULL && device != NULL)
        device->ops->free(device, copy->buffer);
    else
        free(copy->buffer);
}

int adi_dlpack_copy_to(struct adi_device *device, void **host, int64_t bytes,
                       struct adi_dlpack_copy *out, struct adi_error *error) {
    struct adi_dlpack_copy copy = {.device = device};
    if (device == NULL || adi_device_type_is_cpu(device->ops->type)) {
        *out = (struct adi_dlpack_copy){.buffer = *host};
        *host = NULL;
        return 0;
    }
    int code = 0;
    if (bytes > 0) code = device->ops->alloc(device, bytes, &copy.buffer, error);
    if (code == 0 && bytes > 0)
        code = device->ops->write(device, copy.buffer, 0, *host, bytes, error);
    if (code == 0) code = device->ops->event(device, &copy.event, error);
    if (code != 0) {
        adi_dlpack_copy_free(&copy);
        return code;
    }
    *out = copy;
    free(*host);
    *host = NULL;
    return 0;
}

int adi_dlpack_behind(struct adi_device *device, struct adi_dlpack_queue queue,
                      struct adi_error *error) {
    void *event;
    ADI_TRY(adi_dlpack_record(device, queue, &event, error));
    if (event == NULL) return 0;
    int code = device->ops->wait(device, event, error);
    device->ops->event_free(device, event);
    return code;
}

static void free_host(void *host) {
    free(host);
}

/* Reads it, and describes the copy by the tensor's own shape. */
static int consume(struct adi_device *device, const DLTensor *tensor, DLPackVersion version,
                   uint64_t flags, struct adi_dlpack_queue queue, struct adi_dlpack *host_out,
                   struct adi_error *error) {
    struct adi_dlpack_extent extent;
    void *host;
    ADI_TRY(adi_dlpack_measure(tensor, version, flags, &extent, error));
    ADI_TRY(adi_dlpack_behind(device, queue, error));
    ADI_TRY(adi_dlpack_read(device, tensor, &extent, &host, error));
    DLTensor copy = {.data = host,
                     .device = {kDLCPU, 0},
                     .ndim = tensor->ndim,
                     .dtype = tensor->dtype,
                     .shape = tensor->shape};
    flags = adi_dlpack_memory_flags(tensor->dtype, flags) | DLPACK_FLAG_BITMASK_IS_COPIED;
    int code = adi_dlpack_wrap(&copy, (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                               flags, (struct adi_owner){free_host, host}, host_out, error);
    if (code != 0) free(host);
    return code;
}

int adi_dlpack_consume(struct adi_device *device, struct adi_dlpack *in,
                       const struct adi_dlpack_arguments *arguments, struct adi_dlpack *host_out,
                       struct adi_error *error) {
    const DLTensor *tensor;
    DLPackVersion version;
    uint64_t flags;
    struct adi_dlpack_queue queue;
    struct adi_dlpack copy;
    ADI_TRY(adi_dlpack_look(in, &tensor, &version, &flags, error));
    int32_t type = (int32_t)tensor->device.device_type;
    ADI_TRY(adi_dlpack_stream(type, arguments->stream, &queue, error));
    if (device != NULL) ADI_TRY(adi_dlpack_device_check(device, tensor->device, error));
    ADI_TRY(consume(device, tensor, version, flags, queue, &copy, error));
    adi_dlpack_delete(in);
    *host_out = copy;
    return 0;
}
