/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "block.h"
#include "dlpack_copy.h"
#include "dlpack_extent.h"
#include "dlpack_type.h"
#include "fixed_shape.h"
#include "move.h"

/* How a tensor is laid out as an array. */
struct form {
    const char *format;           /* of the values */
    const char *copied;           /* why; NULL: it is not */
    struct adi_fixed_shape shape; /* of an item */
    const void *buffer;
    int64_t first; /* of the values, the one that the tensor begins with */
};

/* Where a buffer is a handle its offset has to be one in values. */
static int place(struct adi_device *device, const DLTensor *tensor,
                 const struct adi_dlpack_extent *extent, struct form *form,
                 struct adi_error *error) {
    int64_t offset = 0, end;
    if (extent->count == 0) return 0;
    ADI_TRY(adi_dlpack_place(device, tensor, extent, 0, &form->buffer, &offset, error));
    if (__builtin_add_overflow(offset, extent->bytes, &end) ||
        __builtin_mul_overflow(end, 8, &end)) /* in bits, as buffers of Arrow are measured */
        return adi_error_set(error, EINVAL, "byte_offset is %" PRIu64, tensor->byte_offset);
    form->first = offset / extent->item;
    if (offset % extent->item != 0) form->copied = "the offset is not one of whole values";
    return 0;
}

/* MAP-08: an array has no strides, but for what the shape of its items can say. */
static int form_of(struct adi_device *device, const DLTensor *tensor,
                   const struct adi_dlpack_extent *extent, int copy, struct form *out,
                   struct adi_error *error) {
    int32_t unused;
    *out = (struct form){.copied = NULL};
    ADI_TRY(adi_dlpack_type_to_arrow(tensor->dtype, &out->format, error));
    ADI_TRY(place(device, tensor, extent, out, error));
    const int64_t *strides = extent->is_compact || out->copied ? NULL : extent->strides;
    if (!adi_fixed_shape_of(tensor->ndim, tensor->shape, strides, &out->shape))
        out->copied = "Arrow's arrays have no strides";
    ADI_TRY(adi_fixed_shape_count(&out->shape, &unused, error));
    if (out->copied == NULL || copy != 0) return 0;
    return adi_error_set(error, ENOTSUP, "it cannot be had without a copy: %s", out->copied);
}

/* ---- the array ---- */

/* What an imported array holds: the tensor, or what it was copied to; and an event. */
struct holding {
    struct adi_dlpack tensor;
    struct adi_dlpack_copy copy;
};

/* MAP-11: the last release deletes the tensor, if it has a deleter. */
static void release_holding(void *tail) {
    struct holding *holding = tail;
    adi_dlpack_copy_free(&holding->copy);
    adi_dlpack_delete(&holding->tensor);
}

static int make_array(const DLTensor *tensor, const struct adi_dlpack_extent *extent,
                      const struct form *form, const struct holding *holding,
                      struct ArrowArray *out, struct adi_error *error) {
    const void *buffers[] = {NULL, form->copied == NULL ? form->buffer : holding->copy.buffer};
    struct ArrowArray values = {.length = extent->count,
                                .offset = form->copied == NULL ? form->first : 0,
                                .n_buffers = 2,
                                .buffers = buffers};
    struct ArrowArray *children = &values;
    struct ArrowArray list = {
        .n_buffers = 1, .buffers = buffers, .n_children = 1, .children = &children};
    if (form->shape.ndim > 0) list.length = tensor->shape[0];
    void *tail;
    ADI_TRY(adi_block_export(form->shape.ndim > 0 ? &list : &values, release_holding,
                             sizeof *holding, out, &tail, error));
    *(struct holding *)tail = *holding;
    return 0;
}

/* ---- the import ---- */

/* What the array is to wait for; where it is copied, what it is copied to. */
static int get_ready(struct adi_device *device, const DLTensor *tensor,
                     const struct adi_dlpack_extent *extent, const struct form *form,
                     struct adi_dlpack_queue queue, struct adi_dlpack_copy *copy,
                     struct adi_error *error) {
    void *host;
    *copy = (struct adi_dlpack_copy){.device = device};
    if (form->copied == NULL) return adi_dlpack_record(device, queue, &copy->event, error);
    ADI_TRY(adi_dlpack_behind(device, queue, error));
    ADI_TRY(adi_dlpack_read(device, tensor, extent, &host, error));
    int code = adi_dlpack_copy_to(device, &host, extent->bytes, copy, error);
    free(host);
    return code;
}

int adi_dlpack_import(struct adi_device *device, struct adi_dlpack *in,
                      const struct adi_dlpack_arguments *arguments, struct ArrowSchema *schema_out,
                      struct ArrowDeviceArray *out, struct adi_error *error) {
    const DLTensor *tensor;
    DLPackVersion version;
    uint64_t flags;
    struct adi_dlpack_extent extent;
    struct adi_dlpack_queue queue;
    struct form form;
    struct ArrowDeviceArray made = {.device_id = 0};
    struct ArrowSchema schema;
    ADI_TRY(adi_dlpack_look(in, &tensor, &version, &flags, error));
    ADI_TRY(adi_dlpack_device_to_arrow(tensor->device, &made.device_type, &made.device_id, error));
    if (device != NULL) ADI_TRY(adi_dlpack_device_check(device, tensor->device, error));
    ADI_TRY(adi_dlpack_measure(tensor, version, flags, &extent, error));
    ADI_TRY(form_of(device, tensor, &extent, arguments->copy, &form, error));
    ADI_TRY(adi_dlpack_stream(made.device_type, arguments->stream, &queue, error));

    struct holding holding = {.tensor = {NULL, NULL}};
    int code = adi_fixed_shape_schema(form.format, &form.shape, &schema, error);
    if (code != 0) return code;
    code = get_ready(device, tensor, &extent, &form, queue, &holding.copy, error);
    if (code != 0) goto not_ready;
    if (form.copied == NULL) holding.tensor = *in;
    code = make_array(tensor, &extent, &form, &holding, &made.array, error);
    if (code != 0) goto no_array;
    made.sync_event = holding.copy.event;
    if (form.copied != NULL)
        adi_dlpack_delete(in);
    else
        *in = (struct adi_dlpack){NULL, NULL};
    *schema_out = schema;
    *out = made;
    return 0;

no_array:
    adi_dlpack_copy_free(&holding.copy);
not_ready:
    adi_schema_release(&schema);
    return code;
}
