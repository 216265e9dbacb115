/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_array_interface.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cuda_array_internal.h"
#include "device_types.h"

#define MASKS_DEPTH 8 /* of masks of masks */

void adi_cuda_array_move(struct adi_cuda_array *from, struct adi_cuda_array *to) {
    *to = *from;
    *from = (struct adi_cuda_array){.size = sizeof *from};
}

void adi_cuda_array_release(struct adi_cuda_array *array) {
    if (array->release != NULL) array->release(array);
    *array = (struct adi_cuda_array){.size = sizeof *array};
}

/* ---- the entries, one by one ---- */

/* A state that is none is an entry that is not there. */
static int find_missing(const struct adi_cuda_array *array, struct adi_error *error) {
    const struct {
        const char *name;
        uint8_t state;
    } mandatory[] = {{"version", array->has_version},
                     {"shape", array->has_shape},
                     {"typestr", array->has_typestr},
                     {"data", array->has_data}};
    for (size_t i = 0; i < sizeof mandatory / sizeof *mandatory; i++)
        if (mandatory[i].state != ADI_ENTRY_GIVEN)
            return adi_error_set(error, EINVAL, "%s: %s, and it is mandatory", mandatory[i].name,
                                 mandatory[i].state == ADI_ENTRY_NONE ? "None" : "not there");
    if (array->typestr == NULL || (array->n_dimensions > 0 && array->shape == NULL) ||
        (adi_cuda_array_is_strided(array) && array->n_dimensions > 0 && array->strides == NULL))
        return adi_error_set(error, EINVAL, "shape, typestr or strides: given, and NULL");
    return 0;
}

static int check_version(int64_t version, struct adi_error *error) {
    if (version < 0) return adi_error_set(error, EINVAL, "version: %" PRId64, version);
    if (version <= ADI_CUDA_ARRAY_VERSION) return 0;
    return adi_error_set(error, ENOTSUP,
                         "version: %" PRId64 " is newer than %d, and may name something else than "
                         "a stream to wait for",
                         version, ADI_CUDA_ARRAY_VERSION);
}

/* An array without items is as large as one of them says, whatever the other dimensions are. */
static int measure_shape(const struct adi_cuda_array *array, struct adi_cuda_array_extent *out,
                         struct adi_error *error) {
    bool is_empty = false;
    if (array->n_dimensions < 0)
        return adi_error_set(error, EINVAL, "shape: %d dimensions", array->n_dimensions);
    if (array->n_dimensions > ADI_CUDA_ARRAY_DIMENSIONS)
        return adi_error_set(error, ENOTSUP, "shape: %d dimensions, and %d are the most",
                             array->n_dimensions, ADI_CUDA_ARRAY_DIMENSIONS);
    for (int32_t i = 0; i < array->n_dimensions; i++) {
        if (array->shape[i] < 0)
            return adi_error_set(error, EINVAL, "shape[%d]: %" PRId64 " is negative", i,
                                 array->shape[i]);
        is_empty = is_empty || array->shape[i] == 0;
    }
    out->items = is_empty ? 0 : 1;
    for (int32_t i = 0; i < array->n_dimensions && !is_empty; i++)
        if (__builtin_mul_overflow(out->items, array->shape[i], &out->items))
            return adi_error_set(error, EINVAL, "shape: more items than can be counted");
    if (__builtin_mul_overflow(out->items, out->type.bytes, &out->bytes))
        return adi_error_set(error, EINVAL,
                             "shape: %" PRId64 " items of %" PRId64
                             " bytes are more than can be counted",
                             out->items, out->type.bytes);
    return 0;
}

/* A dimension of one item is not strided over. */
static int measure_strides(const struct adi_cuda_array *array, struct adi_cuda_array_extent *out,
                           struct adi_error *error) {
    int64_t compact = out->type.bytes, last;
    out->is_contiguous = true;
    out->lowest = out->end = 0;
    if (out->bytes == 0) return 0;
    out->end = out->bytes;
    if (!adi_cuda_array_is_strided(array)) return 0;
    out->end = out->type.bytes;
    for (int32_t i = array->n_dimensions - 1; i >= 0; i--) {
        if (array->shape[i] == 1) continue;
        int64_t *bound = array->strides[i] < 0 ? &out->lowest : &out->end;
        if (__builtin_mul_overflow(array->shape[i] - 1, array->strides[i], &last) ||
            __builtin_add_overflow(*bound, last, bound))
            return adi_error_set(error, EINVAL,
                                 "strides[%d]: %" PRId64 " goes beyond what can be addressed", i,
                                 array->strides[i]);
        if (array->strides[i] != compact) out->is_contiguous = false;
        compact *= array->shape[i];
    }
    return 0;
}

static int check_data(const struct adi_cuda_array *array,
                      const struct adi_cuda_array_extent *extent, struct adi_error *error) {
    uint64_t below = 0U - (uint64_t)extent->lowest;
    if (extent->bytes == 0) return 0;
    if (array->data == 0)
        return adi_error_set(error, EINVAL, "data: 0, but there are %" PRId64 " bytes",
                             extent->bytes);
    if (array->data > UINTPTR_MAX || array->data < below ||
        (uint64_t)extent->end > UINTPTR_MAX - array->data)
        return adi_error_set(error, EINVAL, "strides: items lie beyond what can be addressed");
    return 0;
}

static int check_stream(const struct adi_cuda_array *array, struct adi_error *error) {
    if (!adi_cuda_array_has_stream(array)) return 0;
    return adi_cuda_array_queue(array->stream, NULL, error);
}

/* ---- the whole ---- */

static int check(const struct adi_cuda_array *array, int depth, struct adi_cuda_array_extent *out,
                 struct adi_error *error);

static int check_mask(const struct adi_cuda_array *array, int depth, struct adi_error *error) {
    struct adi_cuda_array_extent extent;
    struct adi_error why = {""};
    const struct adi_cuda_array *mask = array->mask;
    if (array->version < 1 || array->has_mask != ADI_ENTRY_GIVEN) return 0;
    if (depth == MASKS_DEPTH)
        return adi_error_set(error, ENOTSUP, "mask: masks of masks, %d deep", depth);
    if (mask == NULL) return adi_error_set(error, EINVAL, "mask: given, and NULL");
    int code = check(mask, depth + 1, &extent, &why);
    if (code != 0) return adi_error_set(error, code, "mask: %s", why.text);
    int32_t beyond = array->n_dimensions - mask->n_dimensions;
    bool fits = beyond >= 0;
    for (int32_t i = 0; fits && i < mask->n_dimensions; i++)
        fits = mask->shape[i] == 1 || mask->shape[i] == array->shape[beyond + i];
    return fits ? 0 : adi_error_set(error, EINVAL, "mask: its shape does not fit the array's");
}

static int check(const struct adi_cuda_array *array, int depth, struct adi_cuda_array_extent *out,
                 struct adi_error *error) {
    *out = (struct adi_cuda_array_extent){0};
    ADI_TRY(find_missing(array, error));
    ADI_TRY(check_version(array->version, error));
    ADI_TRY(adi_type_string_parse(array->typestr, &out->type, error));
    ADI_TRY(measure_shape(array, out, error));
    ADI_TRY(measure_strides(array, out, error));
    if (array->has_descr == ADI_ENTRY_GIVEN)
        ADI_TRY(adi_array_fields_check(array->descr, array->n_descr, out->type.bytes, error));
    ADI_TRY(check_data(array, out, error));
    ADI_TRY(check_stream(array, error));
    return check_mask(array, depth, error);
}

int adi_cuda_array_check(const struct adi_cuda_array *array, struct adi_cuda_array_extent *out,
                         struct adi_error *error) {
    struct adi_cuda_array_extent extent;
    ADI_TRY(check(array, 0, &extent, error));
    if (out != NULL) *out = extent;
    return 0;
}

int adi_cuda_array_check_producer(const struct adi_cuda_array *array, struct adi_error *error) {
    struct adi_cuda_array_extent extent;
    ADI_TRY(check(array, 0, &extent, error));
    if (extent.bytes > 0 || array->version < 2 || array->data == 0) return 0;
    return adi_error_set(
        error, EINVAL, "data: 0x%" PRIx64 ", but from version 2 on it is 0 where there is nothing",
        array->data);
}

/* ---- where it is ---- */

int adi_cuda_array_queue(int64_t stream, void **queue, struct adi_error *error) {
    if (stream == 0)
        return adi_error_set(error, EINVAL,
                             "stream: 0 could be None, the legacy default stream, or that of the "
                             "thread");
    if (stream < 0 || (uint64_t)stream > UINTPTR_MAX)
        return adi_error_set(error, EINVAL, "stream: %" PRId64 " is the handle of none", stream);
    if (queue != NULL) *queue = (void *)(uintptr_t)stream; /* 1 and 2 are CUDA's own handles */
    return 0;
}

int adi_cuda_array_want_device(const struct adi_device *device, struct adi_error *error) {
    bool is_cuda = adi_device_type_of(device->ops->type)->family == ARROW_DEVICE_CUDA;
    if (is_cuda && ADI_DEVICE_HAS(device->ops, pointer_attributes) &&
        ADI_DEVICE_HAS(device->ops, record_on) && ADI_DEVICE_HAS(device->ops, wait_on))
        return 0;
    return adi_error_set(error, ENOTSUP, "%s:%" PRId64 " %s", device->ops->name, device->id,
                         is_cuda ? "knows nothing of pointers and streams of others"
                                 : "is no device of CUDA's");
}

/* The item that is farthest in front of the first one, or behind it: by its index in each
 * dimension. */
static void name_farthest(const struct adi_cuda_array *array, bool in_front, char *out,
                          size_t size) {
    size_t n = (size_t)snprintf(out, size, "[");
    for (int32_t i = 0; i < array->n_dimensions && n < size; i++) {
        bool is_down = adi_cuda_array_is_strided(array) && array->strides[i] < 0;
        n += (size_t)snprintf(out + n, size - n, "%s%" PRId64, i == 0 ? "" : ", ",
                              is_down == in_front ? array->shape[i] - 1 : 0);
    }
    if (n < size) snprintf(out + n, size - n, "]");
}

/* `before`: bytes of the allocation in front of where the array points. */
static int say_beyond(const struct adi_cuda_array *array,
                      const struct adi_cuda_array_extent *extent, uint64_t before, uint64_t bytes,
                      struct adi_error *error) {
    char item[160];
    bool in_front = 0U - (uint64_t)extent->lowest > before;
    int64_t at = in_front ? extent->lowest : extent->end - extent->type.bytes;
    uint64_t first =
        before + (uint64_t)at; /* of the allocation, in front of which it is negative */
    name_farthest(array, in_front, item, sizeof item);
    return adi_error_set(error, EFAULT,
                         "data: item %s lies in bytes %" PRId64 " to %" PRId64
                         " of an allocation of %" PRIu64 " bytes",
                         item, (int64_t)first, (int64_t)(first + (uint64_t)extent->type.bytes),
                         bytes);
}

static int check_reach(struct adi_device *device, const struct adi_cuda_array *array,
                       const struct adi_cuda_array_extent *extent,
                       struct adi_pointer_attributes *out, struct adi_error *error) {
    const void *pointer = (const void *)(uintptr_t)array->data;
    const struct adi_device_ops *ops = device->ops;
    *out = (struct adi_pointer_attributes){0};
    ADI_TRY(adi_cuda_array_want_device(device, error));
    if (extent->bytes == 0) return 0;
    ADI_TRY(ops->pointer_attributes(device, pointer, out, error));
    if (out->device_pointer == NULL)
        return adi_error_set(error, EFAULT, "data: no device reaches %p", pointer);
    if (ADI_DEVICE_HAS(ops, accessible) && !ops->accessible(device, pointer, error)) return EFAULT;
    uint64_t before = (uintptr_t)out->device_pointer - (uintptr_t)out->start;
    if (before <= out->bytes && 0U - (uint64_t)extent->lowest <= before &&
        (uint64_t)extent->end <= out->bytes - before)
        return 0;
    return say_beyond(array, extent, before, out->bytes, error);
}

int adi_cuda_array_reach(struct adi_device *device, const struct adi_cuda_array *array,
                         struct adi_pointer_attributes *out, struct adi_error *error) {
    struct adi_cuda_array_extent extent;
    ADI_TRY(adi_cuda_array_check(array, &extent, error));
    return check_reach(device, array, &extent, out, error);
}

static bool is_at_home(const struct adi_device *device,
                       const struct adi_pointer_attributes *found) {
    ArrowDeviceType home = found->is_managed ? ARROW_DEVICE_CUDA_MANAGED
                           : found->is_host  ? ARROW_DEVICE_CUDA_HOST
                                             : ARROW_DEVICE_CUDA;
    return device->ops->type == home &&
           (home != ARROW_DEVICE_CUDA || device->id == found->device_id);
}

/* MAP-12: the dictionary names no device; the pointer leads to one. */
int adi_cuda_array_device(struct adi_device *const *devices, size_t n_devices,
                          const struct adi_cuda_array *array, struct adi_device **out,
                          struct adi_error *error) {
    struct adi_cuda_array_extent extent;
    struct adi_pointer_attributes found;
    struct adi_device *any = NULL;
    bool is_told = false; /* by the device that the memory is of */
    int code = adi_error_set(error, ENOTSUP, "there is no device to be on");
    ADI_TRY(adi_cuda_array_check(array, &extent, error));
    for (size_t i = 0; i < n_devices; i++) {
        struct adi_error *why = any == NULL && !is_told ? error : NULL;
        int here = check_reach(devices[i], array, &extent, &found, why);
        bool is_known = extent.bytes == 0 || found.device_pointer != NULL;
        bool at_home = extent.bytes == 0 || (is_known && is_at_home(devices[i], &found));
        if (here == 0 && (any == NULL || at_home)) any = devices[i];
        if (here == 0 && at_home) break;
        if (why != NULL) code = here;
        is_told = is_told || at_home;
    }
    if (any == NULL) return code;
    *out = any;
    return 0;
}
