/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "host.h"

#define MOST_BUFFERS 3

/* The buffers of each layout; of views only what comes before the variadic ones. */
static const struct {
    int64_t count;
    enum adi_buffer_role roles[MOST_BUFFERS];
} layouts[] = {
    [ADI_LAYOUT_NULL] = {0, {0}},
    [ADI_LAYOUT_FIXED] = {2, {ADI_BUFFER_VALIDITY, ADI_BUFFER_VALUES}},
    [ADI_LAYOUT_BINARY] = {3, {ADI_BUFFER_VALIDITY, ADI_BUFFER_OFFSETS, ADI_BUFFER_DATA}},
    [ADI_LAYOUT_VIEW] = {3, {ADI_BUFFER_VALIDITY, ADI_BUFFER_VIEWS, ADI_BUFFER_VARIADIC_LENGTHS}},
    [ADI_LAYOUT_LIST] = {2, {ADI_BUFFER_VALIDITY, ADI_BUFFER_OFFSETS}},
    [ADI_LAYOUT_LIST_VIEW] = {3, {ADI_BUFFER_VALIDITY, ADI_BUFFER_OFFSETS, ADI_BUFFER_SIZES}},
    [ADI_LAYOUT_FIXED_LIST] = {1, {ADI_BUFFER_VALIDITY}},
    [ADI_LAYOUT_STRUCT] = {1, {ADI_BUFFER_VALIDITY}},
    [ADI_LAYOUT_SPARSE_UNION] = {1, {ADI_BUFFER_TYPE_IDS}},
    [ADI_LAYOUT_DENSE_UNION] = {2, {ADI_BUFFER_TYPE_IDS, ADI_BUFFER_OFFSETS}},
    [ADI_LAYOUT_RUN_END] = {0, {0}},
};

static const char *const role_names[] = {
    [ADI_BUFFER_VALIDITY] = "validity", [ADI_BUFFER_VALUES] = "values",
    [ADI_BUFFER_OFFSETS] = "offsets",   [ADI_BUFFER_SIZES] = "sizes",
    [ADI_BUFFER_DATA] = "data",         [ADI_BUFFER_VIEWS] = "views",
    [ADI_BUFFER_VARIADIC] = "variadic", [ADI_BUFFER_VARIADIC_LENGTHS] = "variadic lengths",
    [ADI_BUFFER_TYPE_IDS] = "type ids",
};

int64_t adi_type_buffers(const struct adi_type *type) {
    return layouts[type->layout].count;
}

enum adi_buffer_role adi_type_role(const struct adi_type *type, int64_t index, int64_t n_buffers) {
    if (type->layout == ADI_LAYOUT_VIEW && index >= 2)
        return index == n_buffers - 1 ? ADI_BUFFER_VARIADIC_LENGTHS : ADI_BUFFER_VARIADIC;
    return layouts[type->layout].roles[index];
}

const char *adi_buffer_role_name(enum adi_buffer_role role) {
    return role_names[role];
}

int adi_read_buffer(struct adi_device *device, enum adi_buffer_role role, const void *buffer,
                    int64_t offset, void *to, int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    if (device == NULL) {
        memcpy(to, (const char *)buffer + offset, (size_t)bytes);
        return 0;
    }
    struct adi_error why = {""};
    int code = device->ops->read(device, buffer, offset, to, bytes, &why);
    /* Some producers leave the variadic lengths on the host. */
    if (code == EFAULT && role == ADI_BUFFER_VARIADIC_LENGTHS &&
        adi_host_read(buffer, offset, to, bytes, NULL) == 0)
        return 0;
    if (code != 0 && error != NULL) *error = why;
    return code;
}

static int too_large(struct adi_error *error) {
    return adi_error_set(error, EINVAL, "the size of the buffer does not fit into 64 bits");
}

/* The bytes of `count` values of `bits` bits. */
static int bytes_of(int64_t count, int64_t bits, int64_t *bytes, struct adi_error *error) {
    int64_t all;
    if (__builtin_mul_overflow(count, bits, &all) || __builtin_add_overflow(all, 7, &all))
        return too_large(error);
    *bytes = all / 8;
    return 0;
}

/* What the last offset says; but no slot of an empty array has any of the data. */
static int data_bytes(const struct adi_type *type, const struct ArrowArray *array, int64_t count,
                      struct adi_device *device, int64_t *bytes, struct adi_error *error) {
    const void *offsets = array->buffers[1];
    *bytes = 0;
    if (count == 0 || (array->length == 0 && array->buffers[2] == NULL)) return 0;
    if (offsets == NULL)
        return adi_error_set(error, EINVAL,
                             "the offsets are NULL, the array has %" PRId64 " values", count);
    int64_t width = type->bits / 8, at;
    if (__builtin_mul_overflow(count, width, &at)) return too_large(error);
    int32_t narrow = 0;
    ADI_TRY(adi_read_buffer(device, ADI_BUFFER_OFFSETS, offsets, at,
                            width == 4 ? (void *)&narrow : (void *)bytes, width, error));
    if (width == 4) *bytes = narrow;
    if (*bytes < 0)
        return adi_error_set(error, EINVAL, "offsets[%" PRId64 "] is %" PRId64, count, *bytes);
    return 0;
}

static int variadic_bytes(const struct ArrowArray *array, int64_t index, struct adi_device *device,
                          int64_t *bytes, struct adi_error *error) {
    const void *lengths = array->buffers[array->n_buffers - 1];
    if (lengths == NULL)
        return adi_error_set(error, EINVAL, "the lengths of the variadic buffers are NULL");
    ADI_TRY(adi_read_buffer(device, ADI_BUFFER_VARIADIC_LENGTHS, lengths,
                            (index - 2) * (int64_t)sizeof *bytes, bytes, sizeof *bytes, error));
    if (*bytes < 0)
        return adi_error_set(error, EINVAL, "the length of variadic buffer %" PRId64 " is %" PRId64,
                             index - 2, *bytes);
    return 0;
}

int adi_type_buffer_bytes(const struct adi_type *type, const struct ArrowArray *array,
                          int64_t index, struct adi_device *device, int64_t *bytes,
                          struct adi_error *error) {
    int64_t count; /* of values before the end of the array */
    if (array->length < 0 || array->offset < 0 ||
        __builtin_add_overflow(array->length, array->offset, &count))
        return adi_error_set(error, EINVAL,
                             "length %" PRId64 " and offset %" PRId64 " are not a range",
                             array->length, array->offset);

    const void *buffer = array->buffers[index];
    switch (adi_type_role(type, index, array->n_buffers)) {
    case ADI_BUFFER_VALIDITY:
        return bytes_of(buffer == NULL ? 0 : count, 1, bytes, error);
    case ADI_BUFFER_VALUES:
    case ADI_BUFFER_SIZES:
        return bytes_of(count, type->bits, bytes, error);
    case ADI_BUFFER_OFFSETS:
        if (type->layout == ADI_LAYOUT_DENSE_UNION) return bytes_of(count, 32, bytes, error);
        if (type->layout == ADI_LAYOUT_LIST_VIEW) return bytes_of(count, type->bits, bytes, error);
        if (count == INT64_MAX) return too_large(error);
        return bytes_of(count == 0 && buffer == NULL ? 0 : count + 1, type->bits, bytes, error);
    case ADI_BUFFER_DATA:
        return data_bytes(type, array, count, device, bytes, error);
    case ADI_BUFFER_VIEWS:
        return bytes_of(count, 128, bytes, error);
    case ADI_BUFFER_VARIADIC:
        return variadic_bytes(array, index, device, bytes, error);
    case ADI_BUFFER_VARIADIC_LENGTHS:
        return bytes_of(array->n_buffers - 3, 64, bytes, error);
    case ADI_BUFFER_TYPE_IDS:
        return bytes_of(count, 8, bytes, error);
    }
    return 0;
}
