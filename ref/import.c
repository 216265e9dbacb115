/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "block.h"
#include "device_types.h"
#include "layout.h"
#include "move.h"
#include "shape.h"
#include "type.h"

#define ALIGNMENT 64

static int check_device(const struct adi_device *device, const struct ArrowDeviceArray *in,
                        struct adi_error *error) {
    ArrowDeviceType type = device->ops->type;
    if (in->device_type != type)
        return adi_error_set(
            error, ENOTSUP, "device_type: %" PRId32 " (%s), wanted %" PRId32 " (%s)",
            in->device_type, adi_device_type_name(in->device_type), type, device->ops->name);
    enum adi_device_ids ids = adi_device_type_of(type)->ids;
    if (ids == ADI_IDS_LOOSE || in->device_id == device->id) return 0;
    if (ids == ADI_IDS_NONE && (in->device_id == -1 || in->device_id == 0)) return 0;
    return adi_error_set(error, ENOTSUP, "device_id: %" PRId64 ", wanted %" PRId64, in->device_id,
                         device->id);
}

int adi_import(struct adi_device *device, const struct ArrowSchema *schema,
               struct ArrowDeviceArray *in, struct ArrowDeviceArray *out, struct adi_error *error) {
    if (in->array.release == NULL) return adi_error_set(error, EINVAL, "the array is released");
    ADI_TRY(check_device(device, in, error));
    ADI_TRY(adi_shape_check(schema, &in->array, error));
    adi_device_array_move(in, out);
    return 0;
}

/* The sizes are kept from the first walk to the second: read twice from a device that is written to
 * meanwhile, they could differ, and the block would be too small. */
struct copy {
    struct adi_device *device;
    int64_t *sizes; /* in the order of the walk */
    size_t at;
    char *to;
};

static int64_t rounded_up(int64_t bytes) {
    return (bytes + ALIGNMENT - 1) & -(int64_t)ALIGNMENT;
}

static int measure(void *state, const struct adi_buffer *buffer, struct adi_error *error) {
    struct copy *copy = state;
    int64_t *bytes = &copy->sizes[copy->at++];
    *bytes = 0;
    if (buffer->array->buffers[buffer->index] == NULL) return 0;
    return adi_type_buffer_bytes(buffer->type, buffer->array, buffer->index, copy->device, bytes,
                                 error);
}

static int copy_to_host(void *state, const struct adi_buffer *buffer, struct adi_error *error) {
    struct copy *copy = state;
    int64_t bytes = copy->sizes[copy->at++];
    const void *from = buffer->array->buffers[buffer->index];
    *buffer->copy = from == NULL ? NULL : copy->to;
    enum adi_buffer_role role =
        adi_type_role(buffer->type, buffer->index, buffer->array->n_buffers);
    ADI_TRY(adi_read_buffer(copy->device, role, from, 0, copy->to, bytes, error));
    copy->to += rounded_up(bytes);
    return 0;
}

/* The bytes that all buffers take, each aligned, and to align the first. */
static int sum(const struct copy *copy, size_t *all, struct adi_error *error) {
    *all = ALIGNMENT;
    for (size_t i = 0; i < copy->at; i++) {
        if (copy->sizes[i] > INT64_MAX - ALIGNMENT ||
            (uint64_t)rounded_up(copy->sizes[i]) > SIZE_MAX - *all)
            return adi_error_set(error, ENOMEM, "no memory for a buffer of %" PRId64 " bytes",
                                 copy->sizes[i]);
        *all += (size_t)rounded_up(copy->sizes[i]);
    }
    return 0;
}

int adi_copy_to_host(struct adi_device *device, const struct ArrowSchema *schema,
                     const struct ArrowDeviceArray *in, struct ArrowArray *host_out,
                     struct adi_error *error) {
    ADI_TRY(adi_shape_check(schema, &in->array, error));
    ADI_TRY(device->ops->wait(device, in->sync_event, error));
    size_t n_buffers = adi_block_buffers(&in->array), all;
    struct copy copy = {.device = device, .sizes = calloc(n_buffers + 1, sizeof *copy.sizes)};
    if (copy.sizes == NULL)
        return adi_error_set(error, ENOMEM, "no memory for %zu sizes", n_buffers);

    struct ArrowArray tree = {.release = NULL};
    void *tail;
    int code = adi_block_walk(schema, &in->array, NULL, measure, &copy, error);
    if (code == 0) code = sum(&copy, &all, error);
    if (code == 0) code = adi_block_export(&in->array, NULL, all, &tree, &tail, error);
    if (code == 0) {
        copy.at = 0;
        copy.to = (char *)tail + (-(uintptr_t)tail & (ALIGNMENT - 1));
        code = adi_block_walk(schema, &in->array, &tree, copy_to_host, &copy, error);
    }
    if (code == 0)
        adi_array_move(&tree, host_out);
    else
        adi_array_release(&tree);
    free(copy.sizes);
    return code;
}

static int compare_sum(void *device_at, const struct adi_buffer *buffer, struct adi_error *error) {
    struct adi_device *device = device_at;
    const void *there = buffer->array->buffers[buffer->index];
    const uint8_t *here = *buffer->copy;
    uint64_t wanted = 0, seen;
    int64_t bytes;
    /* Those may be on the host. */
    if (adi_type_role(buffer->type, buffer->index, buffer->array->n_buffers) ==
            ADI_BUFFER_VARIADIC_LENGTHS ||
        there == NULL || here == NULL)
        return 0;
    ADI_TRY(
        adi_type_buffer_bytes(buffer->type, buffer->array, buffer->index, device, &bytes, error));
    if (bytes == 0) return 0;
    ADI_TRY(device->ops->checksum(device, there, 0, bytes, &seen, error));
    for (int64_t i = 0; i < bytes; i++) wanted += here[i];
    if (seen == wanted) return 0;
    return adi_error_set(error, EBADMSG,
                         "the device sums %" PRId64 " bytes to %" PRIu64
                         ", those that the host reads are %" PRIu64,
                         bytes, seen, wanted);
}

int adi_compare_sums(struct adi_device *device, const struct ArrowSchema *schema,
                     const struct ArrowDeviceArray *in, struct ArrowArray *copy,
                     struct adi_error *error) {
    if (!ADI_DEVICE_HAS(device->ops, checksum))
        return adi_error_set(error, ENOTSUP, "%s has no sums", device->ops->name);
    return adi_block_walk(schema, &in->array, copy, compare_sum, device, error);
}

int adi_consume(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out, struct adi_error *error) {
    struct ArrowDeviceArray array;
    ADI_TRY(adi_import(device, schema, in, &array, error));
    int code = adi_copy_to_host(device, schema, &array, host_out, error);
    adi_device_array_release(&array);
    return code;
}

static bool has_buffers(const struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (array->buffers[i] != NULL) return true;
    for (int64_t i = 0; i < array->n_children; i++)
        if (has_buffers(array->children[i])) return true;
    return array->dictionary != NULL && has_buffers(array->dictionary);
}

/* The device that an array names; else the first of its type, whose import judges the id. */
static struct adi_device *device_of(struct adi_device *const *devices, size_t n_devices,
                                    const struct ArrowDeviceArray *array) {
    struct adi_device *of_type = NULL;
    for (size_t i = 0; i < n_devices; i++) {
        if (devices[i]->ops->type != array->device_type) continue;
        if (devices[i]->id == array->device_id) return devices[i];
        if (of_type == NULL) of_type = devices[i];
    }
    return of_type;
}

int adi_consume_on(struct adi_device *const *devices, size_t n_devices,
                   const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct ArrowArray *host_out, struct adi_error *error) {
    if (in->array.release == NULL) return adi_error_set(error, EINVAL, "the array is released");
    ADI_TRY(adi_shape_check(schema, &in->array, error));
    struct adi_device *device = device_of(devices, n_devices, in);
    bool fits = device != NULL && check_device(device, in, NULL) == 0;
    if (!fits && !has_buffers(&in->array)) {
        struct ArrowDeviceArray nowhere;
        adi_device_array_move(in, &nowhere);
        nowhere.device_type = devices[0]->ops->type;
        nowhere.device_id = devices[0]->id;
        nowhere.sync_event = NULL;
        int code = adi_consume(devices[0], schema, &nowhere, host_out, error);
        adi_device_array_release(&nowhere);
        return code;
    }
    if (device != NULL) return adi_consume(device, schema, in, host_out, error);
    return adi_error_set(error, ENOTSUP, "the array is of device_type %" PRId32 " (%s)",
                         in->device_type, adi_device_type_name(in->device_type));
}
