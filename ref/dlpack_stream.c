/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "device_types.h"
#include "dlpack.h"

/* CU_STREAM_LEGACY. NULL may be either default stream. */
#define CUDA_LEGACY ((void *)(uintptr_t)1)

struct convention {
    struct adi_dlpack_queue none; /* what None is */
    int64_t lowest;               /* number that is a handle, or stands for one */
    const char *why;              /* lower ones are not */
};

static const struct convention without_streams = {
    {ADI_DLPACK_BY_HOST, NULL}, 0, "there are no streams, and only None is accepted"};
static const struct convention cuda = {{ADI_DLPACK_BY_QUEUE, CUDA_LEGACY},
                                       1,
                                       "1 is the legacy default stream, 2 that of the thread; 0 "
                                       "could be either"};
static const struct convention rocm = {
    {ADI_DLPACK_BY_QUEUE, NULL}, 3, "0 is the default stream; 1 and 2 are none"};
static const struct convention agreed = {
    {ADI_DLPACK_BY_HOST, NULL}, 3, "None, -1 and the handle of a queue are accepted"};

static const struct convention *convention_of(int32_t device_type) {
    const struct adi_device_type *type = adi_device_type_of(device_type);
    if (type->family == ARROW_DEVICE_CUDA) return &cuda;
    if (type->family == ARROW_DEVICE_ROCM) return &rocm;
    return type->event == ADI_EVENT_NONE ? &without_streams : &agreed;
}

enum adi_dlpack_numbers adi_dlpack_numbers(int32_t device_type) {
    const struct convention *convention = convention_of(device_type);
    return convention == &without_streams ? ADI_DLPACK_STREAMLESS
           : convention == &agreed        ? ADI_DLPACK_UNSAID
                                          : ADI_DLPACK_NUMBERED;
}

int64_t adi_dlpack_no_stream(int32_t device_type) {
    const struct convention *convention = convention_of(device_type);
    return convention == &rocm || convention == &without_streams ? 1 : 0;
}

int64_t adi_dlpack_own_stream(struct adi_device *device) {
    char name[64];
    const void *stream = NULL;
    ArrowDeviceType family = adi_device_type_of(device->ops->type)->family;
    if (adi_dlpack_numbers(device->ops->type) != ADI_DLPACK_NUMBERED) return ADI_DLPACK_NONE;
    snprintf(name, sizeof name, "%s.stream", adi_device_type_name(family));
    if (ADI_DEVICE_HAS(device->ops, native_handle))
        stream = device->ops->native_handle(device, name);
    return stream == NULL ? ADI_DLPACK_NONE : (int64_t)(uintptr_t)stream;
}

int adi_dlpack_stream(int32_t device_type, int64_t stream, struct adi_dlpack_queue *out,
                      struct adi_error *error) {
    const struct convention *convention = convention_of(device_type);
    bool is_default = stream == ADI_DLPACK_NONE || (convention == &rocm && stream == 0);
    if (is_default) {
        *out = convention->none;
        return 0;
    }
    bool has_streams = convention != &without_streams;
    if (stream == -1 && has_streams) {
        *out = (struct adi_dlpack_queue){ADI_DLPACK_BY_NOBODY, NULL};
        return 0;
    }
    if (!has_streams || stream < convention->lowest || (uint64_t)stream > UINTPTR_MAX)
        return adi_error_set(error, EINVAL, "stream %" PRId64 " of %s: %s", stream,
                             adi_device_type_name(device_type), convention->why);
    *out = (struct adi_dlpack_queue){ADI_DLPACK_BY_QUEUE, (void *)(uintptr_t)stream};
    return 0;
}

int adi_dlpack_wait(struct adi_device *device, struct adi_dlpack_queue queue, void *sync_event,
                    struct adi_error *error) {
    if (queue.order == ADI_DLPACK_BY_NOBODY || sync_event == NULL) return 0;
    if (device == NULL)
        return adi_error_set(error, ENOTSUP, "there is an event, and no device to wait for it by");
    if (queue.order == ADI_DLPACK_BY_QUEUE && ADI_DEVICE_HAS(device->ops, wait_on))
        return device->ops->wait_on(device, queue.handle, sync_event, error);
    return device->ops->wait_host(device, sync_event, error);
}

int adi_dlpack_record(struct adi_device *device, struct adi_dlpack_queue queue, void **sync_event,
                      struct adi_error *error) {
    *sync_event = NULL;
    if (queue.order != ADI_DLPACK_BY_QUEUE) return 0;
    if (device == NULL)
        return adi_error_set(error, ENOTSUP, "there is a stream, and no device to record on it by");
    if (!ADI_DEVICE_HAS(device->ops, record_on))
        return adi_error_set(error, ENOTSUP, "%s records no event on a stream of others",
                             device->ops->name);
    return device->ops->record_on(device, queue.handle, sync_event, error);
}
