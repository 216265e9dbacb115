/* SPDX-License-Identifier: Apache-2.0
 *
 * From the CUDA Array Interface to Arrow.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "cuda_array_internal.h"
#include "fixed_shape.h"
#include "items.h"
#include "move.h"

/* What is to be made of a description. */
struct plan {
    struct adi_cuda_array_extent extent;
    struct adi_pointer_attributes found;
    char format[ADI_FORMAT_SIZE];
    unsigned needs;               /* of adi_type_string_needs */
    bool copies;                  /* else the memory is used where it lies */
    struct adi_fixed_shape shape; /* of an item of the array */
};

/* What an array holds on its device. */
struct holding {
    struct adi_device *device;
    void *event;
    void *buffer; /* of a copy */
    struct adi_cuda_array source;
};

static void release_holding(void *tail) {
    struct holding *holding = tail;
    const struct adi_device_ops *ops = holding->device->ops;
    if (holding->event != NULL) ops->event_free(holding->device, holding->event);
    if (holding->buffer != NULL) ops->free(holding->device, holding->buffer);
    adi_cuda_array_release(&holding->source);
}

/* ---- planning ---- */

/* Can the shape say in which order the memory has its values? */
static bool is_shape_enough(const struct adi_cuda_array *in, struct plan *plan) {
    int64_t strides[ADI_CUDA_ARRAY_DIMENSIONS]; /* in values */
    if (plan->extent.is_contiguous) return true;
    for (int32_t i = 0; i < in->n_dimensions; i++) {
        strides[i] = in->strides[i] / plan->extent.type.bytes;
        /* MAP-13: strides in bytes may be none in items. */
        if (in->shape[i] > 1 && in->strides[i] % plan->extent.type.bytes != 0) return false;
    }
    return adi_fixed_shape_of(in->n_dimensions, in->shape, strides, &plan->shape);
}

/* Why the memory cannot be a buffer of Arrow's; NULL: it can. */
static const char *reason_to_copy(const struct adi_cuda_array *in, struct plan *plan,
                                  enum adi_copy copy) {
    adi_fixed_shape_of(in->n_dimensions, in->shape, NULL, &plan->shape);
    if (plan->extent.bytes == 0) return NULL;
    if (plan->needs & ADI_NEEDS_PACKING) return "typestr: a bool of Arrow is a bit, not a byte";
    if (plan->needs & ADI_NEEDS_SWAPPING) return "typestr: its bytes are in the other order";
    if (copy == ADI_COPY_ALWAYS || is_shape_enough(in, plan)) return NULL;
    return "strides: they leave gaps, or have an order that no shape of Arrow's says";
}

static int make_plan(struct adi_device *device, const struct adi_cuda_array *in, enum adi_copy copy,
                     struct plan *plan, struct adi_error *error) {
    int32_t unused;
    ADI_TRY(adi_cuda_array_check(in, &plan->extent, error));
    ADI_TRY(adi_cuda_array_want_device(device, error));
    /* MAP-14: neither Arrow nor DLPack has a place for a mask on other terms. */
    if (in->has_mask == ADI_ENTRY_GIVEN)
        return adi_error_set(error, ENOTSUP, "mask: arrays with one are not taken");
    if (in->has_descr == ADI_ENTRY_GIVEN &&
        !adi_array_fields_say_nothing(in->descr, in->n_descr, in->typestr))
        return adi_error_set(error, ENOTSUP,
                             "descr: Arrow keeps the parts of a structure apart from each other");
    ADI_TRY(adi_type_string_to_arrow(&plan->extent.type, plan->format, &plan->needs, error));
    const char *reason = reason_to_copy(in, plan, copy);
    if (reason != NULL && copy == ADI_COPY_NEVER)
        return adi_error_set(error, ENOTSUP, "%s, and it is not to be copied", reason);
    plan->copies = reason != NULL || copy == ADI_COPY_ALWAYS;
    ADI_TRY(adi_fixed_shape_count(&plan->shape, &unused, error));
    return adi_cuda_array_reach(device, in, &plan->found, error);
}

/* ---- the array ---- */

/* The first value; NULL of zero size. Of pinned memory, by the host's pointer. */
static const void *first_of(const struct adi_device *device, const struct plan *plan) {
    if (plan->extent.bytes == 0) return NULL;
    bool by_host = device->ops->type == ARROW_DEVICE_CUDA_HOST && plan->found.host_pointer != NULL;
    return by_host ? plan->found.host_pointer : plan->found.device_pointer;
}

static int make_tree(struct adi_device *device, const struct adi_cuda_array *in,
                     const struct plan *plan, const void *values, struct ArrowArray *out,
                     struct holding **holding, struct adi_error *error) {
    const void *of_items[] = {NULL, values}, *of_lists[] = {NULL};
    struct ArrowArray items = {.length = plan->extent.items, .n_buffers = 2, .buffers = of_items};
    struct ArrowArray *children[] = {&items};
    struct ArrowArray lists = {.length = plan->shape.ndim == 0 ? 0 : in->shape[0],
                               .n_buffers = 1,
                               .buffers = of_lists,
                               .n_children = 1,
                               .children = children};
    void *tail;
    ADI_TRY(adi_block_export(plan->shape.ndim == 0 ? &items : &lists, release_holding,
                             sizeof **holding, out, &tail, error));
    *holding = tail;
    **holding = (struct holding){.device = device};
    return 0;
}

/* ---- copying ---- */

/* The items in C order and in the order of bytes of this machine, from memory that has been waited
 * for. `*out` is the caller's to free. */
static int read_items(struct adi_device *device, const struct adi_cuda_array *in,
                      const struct plan *plan, char **out, struct adi_error *error) {
    const struct adi_cuda_array_extent *extent = &plan->extent;
    const char *first = first_of(device, plan);
    size_t bytes = (size_t)(extent->end - extent->lowest);
    char *raw = malloc(bytes), *items = malloc((size_t)extent->bytes);
    int code =
        raw == NULL || items == NULL
            ? adi_error_set(error, ENOMEM, "no memory for %zu bytes", bytes)
            : device->ops->read(device, first + extent->lowest, 0, raw, (int64_t)bytes, error);
    if (code == 0 && adi_cuda_array_is_strided(in))
        adi_items_gather(raw - extent->lowest, in->n_dimensions, in->shape, in->strides,
                         extent->type.bytes, items);
    else if (code == 0)
        memcpy(items, raw, bytes);
    if (code == 0 && plan->needs & ADI_NEEDS_SWAPPING)
        adi_items_swap(items, extent->items, extent->type.bytes);
    free(raw);
    if (code == 0)
        *out = items;
    else
        free(items);
    return code;
}

/* Into a buffer of `holding`, with an event behind it. */
static int copy_items(struct adi_device *device, const struct adi_cuda_array *in,
                      const struct plan *plan, struct holding *holding, struct adi_error *error) {
    const struct adi_device_ops *ops = device->ops;
    bool packs = plan->needs & ADI_NEEDS_PACKING;
    int64_t count = plan->extent.items;
    int64_t bytes = packs ? count / 8 + (count % 8 != 0) : plan->extent.bytes;
    char *items, *bits = NULL;
    ADI_TRY(ops->alloc(device, bytes, &holding->buffer, error));
    ADI_TRY(read_items(device, in, plan, &items, error));
    if (packs) bits = malloc((size_t)bytes);
    int code = packs && bits == NULL ? adi_error_set(error, ENOMEM, "no memory for bits") : 0;
    if (code == 0 && packs) adi_items_pack(items, count, (uint8_t *)bits);
    if (code == 0)
        code = ops->write(device, holding->buffer, 0, packs ? bits : items, bytes, error);
    if (code == 0) code = ops->event(device, &holding->event, error);
    free(bits);
    free(items);
    return code;
}

/* ---- both ---- */

/* Until the copy has been read the producer's event is the array's. */
static int copy_behind(struct adi_device *device, const struct adi_cuda_array *in,
                       const struct plan *plan, struct holding *holding, struct adi_error *error) {
    void *before = holding->event;
    holding->event = NULL;
    int code = device->ops->wait(device, before, error);
    if (code == 0) code = copy_items(device, in, plan, holding, error);
    if (before != NULL) device->ops->event_free(device, before);
    return code;
}

/* MAP-15, MAP-16: an event behind the stream is the array's; without a stream there is none. */
static int fill(struct adi_device *device, struct adi_cuda_array *in, const struct plan *plan,
                bool sync, struct ArrowArray *tree, struct holding **out, struct adi_error *error) {
    void *queue = NULL;
    bool waits = sync && adi_cuda_array_has_stream(in) && plan->extent.bytes > 0;
    bool copies = plan->copies && plan->extent.bytes > 0;
    if (waits) ADI_TRY(adi_cuda_array_queue(in->stream, &queue, error));
    ADI_TRY(make_tree(device, in, plan, copies ? NULL : first_of(device, plan), tree, out, error));
    struct holding *holding = *out;
    int code = waits ? device->ops->record_on(device, queue, &holding->event, error) : 0;
    if (code == 0 && copies) code = copy_behind(device, in, plan, holding, error);
    if (code == 0 && copies)
        (plan->shape.ndim == 0 ? tree : tree->children[0])->buffers[1] = holding->buffer;
    if (code != 0) adi_array_release(tree);
    return code;
}

int adi_cuda_array_to_arrow(struct adi_device *device, struct adi_cuda_array *in,
                            enum adi_copy copy, bool sync, struct ArrowSchema *schema_out,
                            struct ArrowDeviceArray *out, struct adi_error *error) {
    struct plan plan;
    struct ArrowSchema schema;
    struct ArrowArray tree;
    struct holding *holding;
    ADI_TRY(make_plan(device, in, copy, &plan, error));
    ADI_TRY(adi_fixed_shape_schema(plan.format, &plan.shape, &schema, error));
    int code = fill(device, in, &plan, sync, &tree, &holding, error);
    if (code != 0) {
        adi_schema_release(&schema);
        return code;
    }
    adi_cuda_array_move(in, &holding->source);
    if (plan.copies) adi_cuda_array_release(&holding->source);
    *schema_out = schema;
    *out = (struct ArrowDeviceArray){.array = tree,
                                     .device_id = device->id,
                                     .device_type = device->ops->type,
                                     .sync_event = holding->event};
    return 0;
}
