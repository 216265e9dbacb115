/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>

#include "dlpack_extent.h"
#include "dlpack_source.h"
#include "dlpack_type.h"
#include "fixed_shape.h"
#include "move.h"
#include "nulls.h"
#include "shape.h"
#include "type.h"

/* An array as a tensor: the values of `values` from `first` on. */
struct view {
    const struct ArrowArray *values;
    DLDataType type;
    int64_t length, first, size; /* size: values of an item */
    struct adi_fixed_shape shape;
};

/* ---- what it is ---- */

static int view_list(const struct ArrowSchema *schema, const struct ArrowArray *array, int32_t size,
                     struct view *out, struct adi_error *error) {
    struct adi_error why = {""};
    int code = adi_dlpack_type_from_arrow(schema->children[0], &out->type, &why);
    if (code != 0) return adi_error_set(error, code, "children[0]: %s", why.text);
    out->values = array->children[0];
    out->size = size;
    out->shape = (struct adi_fixed_shape){.ndim = 1, .shape = {size}};
    if (adi_fixed_shape_is(schema)) ADI_TRY(adi_fixed_shape_read(schema, size, &out->shape, error));
    if (__builtin_mul_overflow(array->offset, size, &out->first) ||
        __builtin_add_overflow(out->first, out->values->offset, &out->first))
        return adi_error_set(error, EINVAL, "offset: %" PRId64 " items of %" PRId32 " values",
                             array->offset, size);
    return 0;
}

static int view_of(const struct ArrowSchema *schema, const struct ArrowArray *array,
                   struct view *out, struct adi_error *error) {
    struct adi_type type;
    ADI_TRY(adi_type_parse(schema->format, &type, error));
    *out =
        (struct view){.values = array, .length = array->length, .first = array->offset, .size = 1};
    if (type.layout == ADI_LAYOUT_FIXED_LIST && schema->dictionary == NULL)
        return view_list(schema, array, type.size, out, error);
    return adi_dlpack_type_from_arrow(schema, &out->type, error);
}

/* ---- nulls ---- */

/* MAP-01: a tensor has no nulls; a null count that is not known is counted. */
static int refuse_nulls(struct adi_device *device, const struct ArrowDeviceArray *in,
                        const struct ArrowArray *array, int64_t first, int64_t count,
                        struct adi_error *error) {
    int64_t nulls;
    ADI_TRY(adi_nulls_count(device, in, array, first, count, &nulls, error));
    if (nulls == 0) return 0;
    return adi_error_set(error, ENOTSUP, "there are nulls, which DLPack does not have");
}

static int check_nulls(struct adi_device *device, const struct ArrowDeviceArray *in,
                       const struct view *view, struct adi_error *error) {
    const struct ArrowArray *array = &in->array;
    ADI_TRY(refuse_nulls(device, in, array, array->offset, array->length, error));
    if (view->values == array) return 0;
    int64_t count = view->length * view->size; /* the child has as many */
    return refuse_nulls(device, in, view->values, view->first, count, error);
}

/* ---- the tensor ---- */

static void fill_dimensions(const struct view *view, DLTensor *tensor) {
    const struct adi_fixed_shape *shape = &view->shape;
    int64_t strides[ADI_FIXED_SHAPE_DIMS] = {0}, next = 1;
    for (int i = shape->ndim - 1; i >= 0; i--) {
        strides[i] = next;
        if (__builtin_mul_overflow(next, shape->shape[i], &next)) next = 0; /* of no elements */
    }
    tensor->shape[0] = view->length;
    tensor->strides[0] = view->size;
    for (int i = 0; i < shape->ndim; i++) {
        tensor->shape[i + 1] = shape->shape[shape->permutation[i]];
        tensor->strides[i + 1] = strides[shape->permutation[i]];
    }
}

/* MAP-03: the offset is in byte_offset. */
static int fill(const struct ArrowDeviceArray *in, const struct view *view,
                struct adi_dlpack_source *source, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    DLTensor *tensor = &source->tensor;
    int64_t offset;
    ADI_TRY(adi_dlpack_device_from_arrow(in->device_type, in->device_id, &tensor->device, error));
    if (source->device != NULL)
        ADI_TRY(adi_dlpack_device_check(source->device, tensor->device, error));
    if (__builtin_mul_overflow(view->first, adi_dlpack_bits(view->type) / 8, &offset))
        return adi_error_set(error, EINVAL, "offset: value %" PRId64, view->first);
    tensor->data = (void *)(uintptr_t)view->values->buffers[1];
    tensor->byte_offset = (uint64_t)offset;
    tensor->dtype = view->type;
    fill_dimensions(view, tensor);
    ADI_TRY(adi_dlpack_measure(tensor, (DLPackVersion){0, 0}, 0, &extent, error));
    source->is_empty = extent.count == 0;
    return 0;
}

int adi_dlpack_open(struct adi_device *device, const struct ArrowSchema *schema,
                    struct ArrowDeviceArray *array, enum adi_dlpack_access access,
                    struct adi_dlpack_source **out, struct adi_error *error) {
    struct view view;
    if (array->array.release == NULL) return adi_error_set(error, EINVAL, "the array is released");
    ADI_TRY(adi_shape_check(schema, &array->array, error));
    ADI_TRY(view_of(schema, &array->array, &view, error));
    struct adi_dlpack_source *source =
        adi_dlpack_source_new(device, view.shape.ndim + 1, access, error);
    if (source == NULL) return ENOMEM;
    int code = fill(array, &view, source, error);
    if (code == 0) code = check_nulls(device, array, &view, error);
    if (code != 0) {
        adi_dlpack_close(source);
        return code;
    }
    adi_device_array_move(array, &source->array);
    source->event = source->array.sync_event;
    *out = source;
    return 0;
}

/* Until the tensor is there the array is the caller's. */
int adi_dlpack_export(struct adi_device *device, const struct ArrowSchema *schema,
                      struct ArrowDeviceArray *array, enum adi_dlpack_access access,
                      const struct adi_dlpack_arguments *arguments, struct adi_dlpack *out,
                      struct adi_error *error) {
    struct adi_dlpack_source *source;
    ADI_TRY(adi_dlpack_open(device, schema, array, access, &source, error));
    int code = adi_dlpack_ask(source, arguments, out, error);
    if (code != 0) adi_device_array_move(&source->array, array);
    adi_dlpack_close(source);
    return code;
}
