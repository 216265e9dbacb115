/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack_extent.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "dlpack_type.h"
#include "items.h"
#include "layout.h"

#define ALIGNMENT 256 /* what dlpack.h asks of data pointers */

static int too_large(struct adi_error *error) {
    return adi_error_set(error, EINVAL, "the size of the tensor does not fit into 64 bits");
}

/* A dimension of 0 makes all others harmless. */
static int count_elements(const DLTensor *tensor, int64_t *count, struct adi_error *error) {
    bool is_empty = false, is_large = false;
    *count = 1;
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] < 0)
            return adi_error_set(error, EINVAL, "shape[%d] is %" PRId64, i, tensor->shape[i]);
        is_empty = is_empty || tensor->shape[i] == 0;
        is_large = is_large || __builtin_mul_overflow(*count, tensor->shape[i], count);
    }
    if (is_empty) *count = 0;
    return is_large && !is_empty ? too_large(error) : 0;
}

/* Of a tensor that is row-major and compact. Where there is no element nobody uses them. */
static void fill_strides(const DLTensor *tensor, int64_t *strides) {
    int64_t next = 1;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        strides[i] = next;
        if (__builtin_mul_overflow(next, tensor->shape[i], &next)) next = 0;
    }
}

static bool is_compact(const DLTensor *tensor, const int64_t *strides) {
    int64_t next = 1;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        if (tensor->shape[i] == 1) continue;
        if (strides[i] != next) return false;
        next *= tensor->shape[i];
    }
    return true;
}

/* From the first element to the lowest one and to the end of the highest one. */
static int span(const DLTensor *tensor, struct adi_dlpack_extent *extent, struct adi_error *error) {
    int64_t low = 0, high = 0, reach;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t *end = extent->strides[i] < 0 ? &low : &high;
        if (__builtin_mul_overflow(tensor->shape[i] - 1, extent->strides[i], &reach) ||
            __builtin_add_overflow(*end, reach, end))
            return too_large(error);
    }
    if (__builtin_add_overflow(high, 1, &high) ||
        __builtin_mul_overflow(low, extent->item, &extent->low) ||
        __builtin_mul_overflow(high, extent->item, &extent->high) ||
        __builtin_sub_overflow(extent->high, extent->low, &reach))
        return too_large(error);
    return 0;
}

static int measure_bytes(const DLTensor *tensor, uint64_t flags, struct adi_dlpack_extent *extent,
                         struct adi_error *error) {
    int64_t bits = adi_dlpack_bits(tensor->dtype), all;
    bool is_padded = (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0;
    extent->item = bits % 8 == 0 || is_padded ? (bits + 7) / 8 : 0;
    if (extent->item == 0 && !extent->is_compact)
        return adi_error_set(error, ENOTSUP,
                             "elements of %" PRId64 " bits are packed, with strides", bits);
    if (extent->item != 0) bits = extent->item * 8;
    /* In bits, as buffers of Arrow are measured. */
    if (__builtin_mul_overflow(extent->count, bits, &all) || __builtin_add_overflow(all, 7, &all))
        return too_large(error);
    extent->bytes = all / 8;
    if (extent->count == 0) return 0;
    if (extent->item != 0) return span(tensor, extent, error);
    extent->high = extent->bytes;
    return 0;
}

int adi_dlpack_measure(const DLTensor *tensor, DLPackVersion version, uint64_t flags,
                       struct adi_dlpack_extent *out, struct adi_error *error) {
    /* All but the strides, which are filled in as far as there are dimensions. */
    memset(out, 0, offsetof(struct adi_dlpack_extent, strides));
    out->is_compact = false;
    if (tensor->ndim < 0) return adi_error_set(error, EINVAL, "ndim is %" PRId32, tensor->ndim);
    if (tensor->ndim > ADI_DLPACK_DIMS)
        return adi_error_set(error, ENOTSUP, "ndim is %" PRId32 ", %d at most", tensor->ndim,
                             ADI_DLPACK_DIMS);
    ADI_TRY(adi_dlpack_type_check(tensor->dtype, error));
    if (tensor->ndim > 0 && tensor->shape == NULL)
        return adi_error_set(error, EINVAL, "shape is NULL, and ndim %" PRId32, tensor->ndim);
    ADI_TRY(count_elements(tensor, &out->count, error));
    if (tensor->strides != NULL && tensor->ndim > 0)
        memcpy(out->strides, tensor->strides, (size_t)tensor->ndim * sizeof *tensor->strides);
    else if (tensor->ndim > 0 && version.major >= 1 && version.minor >= 2)
        return adi_error_set(error, EINVAL,
                             "strides are NULL, which version %" PRIu32 ".%" PRIu32 " forbids",
                             version.major, version.minor);
    else
        fill_strides(tensor, out->strides);
    out->is_compact = out->count == 0 || is_compact(tensor, out->strides);
    ADI_TRY(measure_bytes(tensor, flags, out, error));
    if (out->count > 0 && tensor->data == NULL)
        return adi_error_set(error, EINVAL, "data is NULL, and there are %" PRId64 " elements",
                             out->count);
    return 0;
}

/* ---- where it lies ---- */

static bool is_address(struct adi_device *device, const DLTensor *tensor) {
    enum adi_device_buffer is = adi_device_type_of((int)tensor->device.device_type)->buffer;
    if (is == ADI_BUFFER_IS_ADDRESS) return true;
    return is == ADI_BUFFER_IS_UNSAID && device != NULL &&
           ADI_DEVICE_HAS(device->ops, is_address) && device->ops->is_address(device, tensor->data);
}

int adi_dlpack_place(struct adi_device *device, const DLTensor *tensor,
                     const struct adi_dlpack_extent *extent, int64_t from, const void **buffer,
                     int64_t *offset, struct adi_error *error) {
    uintptr_t address, end;
    *buffer = tensor->data;
    if (tensor->byte_offset > INT64_MAX ||
        __builtin_add_overflow((int64_t)tensor->byte_offset, from, offset))
        return adi_error_set(error, EINVAL, "byte_offset is %" PRIu64, tensor->byte_offset);
    if (is_address(device, tensor)) {
        if (__builtin_add_overflow((uintptr_t)tensor->data, *offset, &address) ||
            __builtin_add_overflow(address, extent->high - from, &end))
            return adi_error_set(error, EINVAL,
                                 "elements lie beyond the address space, with byte_offset %" PRIu64,
                                 tensor->byte_offset);
        *buffer = (const void *)address;
        *offset = 0;
    }
    if (*offset >= 0) return 0;
    return adi_error_set(error, EINVAL, "elements lie %" PRId64 " bytes in front of the memory",
                         -*offset);
}

/* ---- reading ---- */

/* The stride of a dimension of one says nothing, and may be anything. */
static void gather(const DLTensor *tensor, const struct adi_dlpack_extent *extent,
                   const char *first, char *to) {
    int64_t strides[ADI_DLPACK_DIMS]; /* in bytes */
    for (int i = 0; i < tensor->ndim; i++)
        strides[i] = tensor->shape[i] == 1 ? 0 : extent->strides[i] * extent->item;
    adi_items_gather(first, tensor->ndim, tensor->shape, strides, extent->item, to);
}

int adi_dlpack_allocate(int64_t bytes, void **out, struct adi_error *error) {
    *out = NULL;
    if ((uint64_t)bytes > SIZE_MAX ||
        posix_memalign(out, ALIGNMENT, bytes == 0 ? 1 : (size_t)bytes) != 0)
        return adi_error_set(error, ENOMEM, "no memory for %" PRId64 " bytes", bytes);
    return 0;
}

/* Whatever lies in between is read, too, once: a device copies ranges. */
static int read_strided(struct adi_device *device, const DLTensor *tensor,
                        const struct adi_dlpack_extent *extent, const void *buffer, int64_t offset,
                        void *to, struct adi_error *error) {
    int64_t bytes = extent->high - extent->low;
    void *all;
    ADI_TRY(adi_dlpack_allocate(bytes, &all, error));
    int code = adi_read_buffer(device, ADI_BUFFER_VALUES, buffer, offset, all, bytes, error);
    if (code == 0) gather(tensor, extent, (char *)all - extent->low, to);
    free(all);
    return code;
}

int adi_dlpack_read(struct adi_device *device, const DLTensor *tensor,
                    const struct adi_dlpack_extent *extent, void **out, struct adi_error *error) {
    const void *buffer;
    int64_t offset;
    void *to = NULL;
    int code = 0;
    if (extent->bytes > 0) {
        if (device == NULL && !adi_device_type_is_cpu((int)tensor->device.device_type))
            return adi_error_set(error, ENOTSUP, "no device to read %s by",
                                 adi_device_type_name((int)tensor->device.device_type));
        ADI_TRY(adi_dlpack_place(device, tensor, extent, extent->low, &buffer, &offset, error));
        ADI_TRY(adi_dlpack_allocate(extent->bytes, &to, error));
        code = extent->is_compact ? adi_read_buffer(device, ADI_BUFFER_VALUES, buffer, offset, to,
                                                    extent->bytes, error)
                                  : read_strided(device, tensor, extent, buffer, offset, to, error);
    }
    if (code == 0)
        *out = to;
    else
        free(to);
    return code;
}
