/* SPDX-License-Identifier: Apache-2.0
 *
 * From Arrow to the CUDA Array Interface.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_array_internal.h"
#include "fixed_shape.h"
#include "import.h"
#include "items.h"
#include "move.h"
#include "nulls.h"
#include "type.h"

/* What a description stands on. */
struct holding {
    struct adi_device *device;
    struct ArrowDeviceArray array; /* released, if there is a copy */
    void *buffer;                  /* of a copy */
    void *queue;                   /* NULL: nobody has a stream */
    char typestr[ADI_TYPE_STRING_SIZE];
    int64_t numbers[]; /* shape, strides */
};

/* What of an array is to be described: the values of its innermost child from `first` on. */
struct plan {
    const struct ArrowDeviceArray *in;
    int32_t n_dimensions;
    int64_t memory[ADI_CUDA_ARRAY_DIMENSIONS]; /* the shape as it lies there, C-contiguous */
    int32_t order[ADI_CUDA_ARRAY_DIMENSIONS];  /* which of these a dimension of the array is */
    const struct ArrowArray *values;
    int64_t first;
    struct adi_type_string type;
    char typestr[ADI_TYPE_STRING_SIZE];
    bool copies, is_bool;
    int64_t items, bytes;
    const void *data; /* as commands reach it; NULL of zero size */
};

/* ---- planning ---- */

static int check_options(const struct adi_cuda_array_options *options, struct adi_error *error) {
    if (options->version < 0 || options->version > ADI_CUDA_ARRAY_VERSION)
        return adi_error_set(error, EINVAL, "version: %" PRId64 ", and there are 0 to %d",
                             options->version, ADI_CUDA_ARRAY_VERSION);
    if (options->has_stream != ADI_ENTRY_ABSENT && options->version < 3)
        return adi_error_set(error, EINVAL, "stream: version %" PRId64 " has no such entry",
                             options->version);
    if (options->has_stream != ADI_ENTRY_GIVEN) return 0;
    return adi_cuda_array_queue(options->stream, NULL, error);
}

/* Of the `count` values from plan->first on. */
static int want_no_nulls(struct adi_device *device, const struct plan *plan,
                         const struct ArrowArray *array, int64_t count, struct adi_error *error) {
    int64_t nulls;
    ADI_TRY(adi_nulls_count(device, plan->in, array, plan->first, count, &nulls, error));
    if (nulls == 0) return 0;
    return adi_error_set(error, ENOTSUP, "the array has %" PRId64 " null%s, and masks are not made",
                         nulls, nulls == 1 ? "" : "s");
}

/* The dimensions of the values of a list. */
static int add_list(const struct ArrowSchema *schema, int32_t size, struct plan *plan,
                    struct adi_error *error) {
    struct adi_fixed_shape shape = {.ndim = 1, .shape = {size}};
    const int32_t before = plan->n_dimensions;
    if (adi_fixed_shape_is(schema)) ADI_TRY(adi_fixed_shape_read(schema, size, &shape, error));
    if (shape.ndim > ADI_CUDA_ARRAY_DIMENSIONS - before)
        return adi_error_set(error, ENOTSUP, "shape: more than %d dimensions",
                             ADI_CUDA_ARRAY_DIMENSIONS);
    for (int32_t i = 0; i < shape.ndim; i++) {
        plan->memory[before + i] = shape.shape[i];
        plan->order[before + i] = before + (int32_t)shape.permutation[i];
    }
    plan->n_dimensions += shape.ndim;
    return 0;
}

/* Down fixed-size lists to what is in them. */
static int plan_shape(struct adi_device *device, const struct ArrowSchema **schema,
                      const struct ArrowArray *array, struct plan *plan, struct adi_error *error) {
    struct adi_type type;
    int64_t count = array->length;
    plan->first = array->offset;
    plan->memory[plan->n_dimensions++] = count;
    for (;; array = array->children[0], *schema = (*schema)->children[0]) {
        ADI_TRY(adi_type_parse((*schema)->format, &type, error));
        ADI_TRY(want_no_nulls(device, plan, array, count, error));
        if (type.layout != ADI_LAYOUT_FIXED_LIST || (*schema)->dictionary != NULL) break;
        ADI_TRY(add_list(*schema, type.size, plan, error));
        if (__builtin_mul_overflow(plan->first, type.size, &plan->first) ||
            __builtin_add_overflow(plan->first, array->children[0]->offset, &plan->first) ||
            __builtin_mul_overflow(count, type.size, &count))
            return adi_error_set(error, EINVAL, "shape: more items than can be counted");
    }
    plan->values = array;
    plan->items = count;
    return 0;
}

static int plan_type(const struct ArrowSchema *schema, enum adi_copy copy, struct plan *plan,
                     struct adi_error *error) {
    unsigned needs;
    if (schema->dictionary != NULL)
        return adi_error_set(error, ENOTSUP, "typestr: none says that values are in a dictionary");
    ADI_TRY(adi_type_string_from_arrow(schema->format, plan->typestr, &needs, error));
    ADI_TRY(adi_type_string_parse(plan->typestr, &plan->type, error));
    plan->is_bool = needs & ADI_NEEDS_PACKING;
    if (plan->is_bool && copy == ADI_COPY_NEVER)
        return adi_error_set(error, ENOTSUP,
                             "typestr: a bool of Arrow is a bit, not a byte, and it is not to be "
                             "copied");
    plan->copies = plan->is_bool || copy == ADI_COPY_ALWAYS;
    if (__builtin_mul_overflow(plan->items, plan->type.bytes, &plan->bytes))
        return adi_error_set(error, EINVAL, "shape: more bytes than can be counted");
    return 0;
}

/* Where the items lie that are used where they lie. */
static int plan_data(struct adi_device *device, struct plan *plan, struct adi_error *error) {
    struct adi_pointer_attributes found;
    if (plan->bytes == 0 || plan->copies) return 0;
    const char *buffer = plan->values->buffers[1];
    ADI_TRY(device->ops->pointer_attributes(device, buffer, &found, error));
    if (ADI_DEVICE_HAS(device->ops, accessible) && !device->ops->accessible(device, buffer, error))
        return EFAULT;
    uint64_t left = found.bytes - ((uintptr_t)found.device_pointer - (uintptr_t)found.start);
    uint64_t before = (uint64_t)plan->first * (uint64_t)plan->type.bytes;
    if (found.device_pointer == NULL || before > left || (uint64_t)plan->bytes > left - before)
        return adi_error_set(error, EFAULT,
                             "data: %" PRId64 " bytes at byte %" PRIu64
                             " of %p go beyond its allocation",
                             plan->bytes, before, (const void *)buffer);
    plan->data = (const char *)found.device_pointer + before;
    return 0;
}

static int make_plan(struct adi_device *device, const struct ArrowSchema *schema,
                     const struct ArrowDeviceArray *in, enum adi_copy copy, struct plan *plan,
                     struct adi_error *error) {
    *plan = (struct plan){.in = in};
    ADI_TRY(plan_shape(device, &schema, &in->array, plan, error));
    ADI_TRY(plan_type(schema, copy, plan, error));
    return plan_data(device, plan, error);
}

/* ---- copying ---- */

/* The items on the host. `*out` is the caller's to free. */
static int read_items(struct adi_device *device, const struct plan *plan, char **out,
                      struct adi_error *error) {
    const void *buffer = plan->values->buffers[1];
    int64_t start = plan->first / 8, last = plan->first + plan->items - 1;
    int64_t bytes = plan->is_bool ? last / 8 - start + 1 : plan->bytes;
    if (!plan->is_bool) start = plan->first * plan->type.bytes;
    char *raw = malloc((size_t)bytes), *items = malloc((size_t)plan->bytes);
    int code = raw == NULL || items == NULL
                   ? adi_error_set(error, ENOMEM, "no memory for %" PRId64 " bytes", plan->bytes)
                   : device->ops->wait(device, plan->in->sync_event, error);
    if (code == 0) code = device->ops->read(device, buffer, start, raw, bytes, error);
    if (code == 0 && plan->is_bool)
        adi_items_unpack((const uint8_t *)raw, plan->first % 8, plan->items, items);
    else if (code == 0)
        memcpy(items, raw, (size_t)bytes);
    free(raw);
    if (code == 0)
        *out = items;
    else
        free(items);
    return code;
}

/* Into a buffer of one's own; `*event` is complete when it is there. */
static int copy_items(struct adi_device *device, const struct plan *plan, void **buffer,
                      void **event, struct adi_error *error) {
    const struct adi_device_ops *ops = device->ops;
    char *items;
    ADI_TRY(read_items(device, plan, &items, error));
    int code = ops->alloc(device, plan->bytes, buffer, error);
    if (code == 0) code = ops->write(device, *buffer, 0, items, plan->bytes, error);
    if (code == 0) code = ops->event(device, event, error);
    free(items);
    return code;
}

/* ---- the description ---- */

/* An event that takes longer than the device lets a wait take is waited for again: what a command
 * still reads cannot be given back, and this cannot fail. */
static void finish_queue(struct adi_device *device, void *queue) {
    void *event;
    if (device->ops->record_on(device, queue, &event, NULL) != 0) return;
    while (device->ops->wait_host(device, event, NULL) == ETIMEDOUT) {
    }
    device->ops->event_free(device, event);
}

static void release_described(struct adi_cuda_array *array) {
    struct holding *holding = array->private_data;
    if (holding->queue != NULL) finish_queue(holding->device, holding->queue);
    if (holding->buffer != NULL) holding->device->ops->free(holding->device, holding->buffer);
    adi_device_array_release(&holding->array);
    free(holding);
    array->release = NULL;
}

static int make_holding(struct adi_device *device, const struct plan *plan, struct holding **out,
                        struct adi_error *error) {
    size_t n = (size_t)plan->n_dimensions;
    int64_t strides[ADI_CUDA_ARRAY_DIMENSIONS], next = plan->type.bytes;
    struct holding *holding = calloc(1, sizeof *holding + 2 * n * sizeof *holding->numbers);
    if (holding == NULL) return adi_error_set(error, ENOMEM, "no memory for a description");
    holding->device = device;
    memcpy(holding->typestr, plan->typestr, sizeof plan->typestr);
    for (size_t i = n; i-- > 0;) {
        strides[i] = next;
        if (plan->bytes > 0) next *= plan->memory[i];
    }
    for (size_t i = 0; i < n; i++) {
        holding->numbers[i] = plan->memory[plan->order[i]];
        holding->numbers[n + i] = strides[plan->order[i]];
    }
    *out = holding;
    return 0;
}

static bool is_permuted(const struct plan *plan) {
    bool is = false;
    for (int32_t i = 0; i < plan->n_dimensions; i++) is = is || plan->order[i] != i;
    return is;
}

/* Before version 2 it was unclear what strides that are missing mean. */
static void describe(const struct adi_cuda_array_options *options, const struct plan *plan,
                     struct holding *holding, struct adi_cuda_array *out) {
    const void *data = holding->buffer != NULL ? holding->buffer : plan->data;
    *out = (struct adi_cuda_array){
        .size = sizeof *out,
        .has_shape = ADI_ENTRY_GIVEN,
        .has_typestr = ADI_ENTRY_GIVEN,
        .has_data = ADI_ENTRY_GIVEN,
        .has_version = ADI_ENTRY_GIVEN,
        .has_strides = options->version < 2 || is_permuted(plan) ? ADI_ENTRY_GIVEN : ADI_ENTRY_NONE,
        .has_stream = options->has_stream,
        .n_dimensions = plan->n_dimensions,
        .shape = holding->numbers,
        .strides = holding->numbers + plan->n_dimensions,
        .typestr = holding->typestr,
        .data = (uintptr_t)data,
        .read_only = !plan->copies,
        .version = options->version,
        .stream = options->has_stream == ADI_ENTRY_GIVEN ? options->stream : 0,
        .release = release_described,
        .private_data = holding};
}

/* The queue waits for `sync_event`; without one, the host. */
static int order(struct adi_device *device, void *sync_event, void *queue,
                 struct adi_error *error) {
    if (sync_event == NULL) return 0;
    return queue != NULL ? device->ops->wait_on(device, queue, sync_event, error)
                         : device->ops->wait_host(device, sync_event, error);
}

static int fill(struct adi_device *device, const struct adi_cuda_array_options *options,
                const struct plan *plan, struct holding *holding, struct adi_error *error) {
    void *queue = NULL, *copied = NULL;
    if (options->has_stream == ADI_ENTRY_GIVEN)
        ADI_TRY(adi_cuda_array_queue(options->stream, &queue, error));
    bool copies = plan->copies && plan->bytes > 0;
    int code = copies ? copy_items(device, plan, &holding->buffer, &copied, error) : 0;
    if (code == 0 && (copies || !options->no_sync))
        code = order(device, copies ? copied : plan->in->sync_event, queue, error);
    if (copied != NULL) device->ops->event_free(device, copied);
    if (code != 0 && holding->buffer != NULL) device->ops->free(device, holding->buffer);
    holding->queue = queue;
    return code;
}

int adi_cuda_array_from_arrow(struct adi_device *device, const struct ArrowSchema *schema,
                              struct ArrowDeviceArray *in,
                              const struct adi_cuda_array_options *options,
                              struct adi_cuda_array *out, struct adi_error *error) {
    struct plan plan;
    struct ArrowDeviceArray array;
    struct holding *holding = NULL;
    ADI_TRY(check_options(options, error));
    ADI_TRY(adi_cuda_array_want_device(device, error));
    ADI_TRY(adi_import(device, schema, in, &array, error));
    int code = make_plan(device, schema, &array, options->copy, &plan, error);
    if (code == 0) code = make_holding(device, &plan, &holding, error);
    if (code == 0) code = fill(device, options, &plan, holding, error);
    if (code != 0) {
        free(holding);
        adi_device_array_move(&array, in);
        return code;
    }
    describe(options, &plan, holding, out);
    if (plan.copies)
        adi_device_array_release(&array);
    else
        adi_device_array_move(&array, &holding->array);
    return 0;
}
