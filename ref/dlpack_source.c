/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "dlpack_extent.h"
#include "dlpack_type.h"
#include "move.h"

struct adi_dlpack_source *adi_dlpack_source_new(struct adi_device *device, int ndim,
                                                enum adi_dlpack_access access,
                                                struct adi_error *error) {
    struct adi_dlpack_source *source;
    source = malloc(sizeof *source + 2 * (size_t)ndim * sizeof(int64_t));
    if (source == NULL) {
        adi_error_set(error, ENOMEM, "no memory for a source of tensors");
        return NULL;
    }
    *source =
        (struct adi_dlpack_source){.device = device, .is_writable = access == ADI_DLPACK_WRITABLE};
    atomic_init(&source->uses, 1);
    source->tensor.ndim = ndim;
    source->tensor.shape = source->numbers;
    source->tensor.strides = source->numbers + ndim;
    return source;
}

/* MAP-07: the array is released when nobody has a tensor of it any more. */
static void drop(void *state) {
    struct adi_dlpack_source *source = state;
    if (atomic_fetch_sub_explicit(&source->uses, 1, memory_order_acq_rel) > 1) return;
    adi_device_array_release(&source->array);
    adi_dlpack_delete(&source->relayed);
    adi_dlpack_copy_free(&source->copy);
    free(source);
}

void adi_dlpack_close(struct adi_dlpack_source *source) {
    if (source != NULL) drop(source);
}

DLDevice adi_dlpack_device(const struct adi_dlpack_source *source) {
    return source->tensor.device;
}

/* MAP-05: others have the memory, too. */
static uint64_t flags_of(const struct adi_dlpack_source *source) {
    return source->flags | (source->is_writable ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY);
}

const DLTensor *adi_dlpack_describe(const struct adi_dlpack_source *source, uint64_t *flags) {
    if (flags != NULL) *flags = flags_of(source);
    return &source->tensor;
}

/* ---- being asked ---- */

/* What the arguments come to. */
struct answer {
    DLPackVersion version;
    DLDevice device;
    struct adi_dlpack_queue queue;
    const char *copied; /* why; NULL: it is not */
};

static DLPackVersion version_of(const struct adi_dlpack_arguments *arguments) {
    DLPackVersion newest = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    if (arguments->max_major == 0) return (DLPackVersion){0, 0};
    if (arguments->max_major == newest.major && arguments->max_minor < newest.minor)
        newest.minor = arguments->max_minor;
    return newest;
}

static bool is_same(DLDevice a, DLDevice b) {
    return a.device_type == b.device_type && a.device_id == b.device_id;
}

static int choose_device(const struct adi_dlpack_source *source,
                         const struct adi_dlpack_arguments *arguments, struct answer *out,
                         struct adi_error *error) {
    DLDevice here = source->tensor.device;
    DLDevice asked = {(DLDeviceType)arguments->device_type, arguments->device_id};
    out->device = here;
    if (is_same(asked, (DLDevice){0, 0}) || is_same(asked, here)) return 0;
    if (!is_same(asked, (DLDevice){kDLCPU, 0}))
        return adi_error_set(error, ENOTSUP,
                             "device %" PRId32 ":%" PRId32
                             " was asked for, and it is on %s:%" PRId32
                             ": it can be had there and on the CPU",
                             arguments->device_type, arguments->device_id,
                             adi_device_type_name((int)here.device_type), here.device_id);
    out->device = asked;
    if (adi_device_type_of((int)here.device_type)->host != ADI_HOST_YES)
        out->copied = "the CPU does not reach the memory";
    return 0;
}

static int choose(const struct adi_dlpack_source *source,
                  const struct adi_dlpack_arguments *arguments, struct answer *out,
                  struct adi_error *error) {
    *out = (struct answer){.version = version_of(arguments)};
    ADI_TRY(choose_device(source, arguments, out, error));
    ADI_TRY(adi_dlpack_stream((int)out->device.device_type, arguments->stream, &out->queue, error));
    if (out->version.major == 0 && !source->is_writable && out->copied == NULL)
        out->copied = "the layout from before 1.0 cannot say that the memory is read-only";
    if (source->is_empty) out->copied = NULL;
    if (arguments->copy == 1 && out->copied == NULL) out->copied = "a copy was asked for";
    if (arguments->copy == 0 && out->copied != NULL)
        return adi_error_set(error, ENOTSUP, "it cannot be had without a copy: %s", out->copied);
    return 0;
}

/* MAP-06: the consumer's stream comes behind the event, or the host has waited for it. */
static int share(struct adi_dlpack_source *source, const struct answer *answer,
                 struct adi_dlpack *out, struct adi_error *error) {
    if (source->event != NULL)
        ADI_TRY(adi_dlpack_wait(source->device, answer->queue, source->event, error));
    ADI_TRY(adi_dlpack_wrap_measured(&source->tensor, answer->device, source->is_empty,
                                     answer->version, flags_of(source),
                                     (struct adi_owner){drop, source}, out, error));
    atomic_fetch_add_explicit(&source->uses, 1, memory_order_relaxed);
    return 0;
}

static void free_copy(void *state) {
    adi_dlpack_copy_free(state);
    free(state);
}

/* Reading waits for the source's event, and the stream for the copy's. */
static int read_behind(struct adi_dlpack_source *source, const struct adi_dlpack_extent *extent,
                       void **host, struct adi_error *error) {
    struct adi_device *device = source->device;
    if (source->event != NULL && device == NULL)
        return adi_error_set(error, ENOTSUP, "there is an event, and no device to wait for it by");
    if (source->event != NULL) ADI_TRY(device->ops->wait(device, source->event, error));
    return adi_dlpack_read(device, &source->tensor, extent, host, error);
}

static int copy_out(struct adi_dlpack_source *source, const struct answer *answer,
                    struct adi_dlpack *out, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    ADI_TRY(
        adi_dlpack_measure(&source->tensor, (DLPackVersion){0, 0}, source->flags, &extent, error));
    bool is_there = is_same(answer->device, source->tensor.device);
    struct adi_device *device = is_there ? source->device : NULL;
    struct adi_dlpack_copy *copy = malloc(sizeof *copy);
    void *host = NULL;
    if (copy == NULL) return adi_error_set(error, ENOMEM, "no memory for a copy");
    *copy = (struct adi_dlpack_copy){.device = NULL};
    int code = read_behind(source, &extent, &host, error);
    if (code == 0) code = adi_dlpack_copy_to(device, &host, extent.bytes, copy, error);
    if (code == 0) code = adi_dlpack_wait(device, answer->queue, copy->event, error);
    DLTensor tensor = source->tensor;
    tensor.device = answer->device;
    tensor.data = copy->buffer;
    tensor.byte_offset = 0;
    tensor.strides = NULL;
    if (code == 0)
        code =
            adi_dlpack_wrap(&tensor, answer->version, source->flags | DLPACK_FLAG_BITMASK_IS_COPIED,
                            (struct adi_owner){free_copy, copy}, out, error);
    if (code == 0) return 0;
    free(host);
    free_copy(copy);
    return code;
}

int adi_dlpack_ask(struct adi_dlpack_source *source, const struct adi_dlpack_arguments *arguments,
                   struct adi_dlpack *out, struct adi_error *error) {
    struct answer answer;
    ADI_TRY(choose(source, arguments, &answer, error));
    return answer.copied == NULL ? share(source, &answer, out, error)
                                 : copy_out(source, &answer, out, error);
}

int adi_dlpack_borrow(struct adi_dlpack_source *source, int64_t stream, DLTensor *out,
                      struct adi_error *error) {
    struct adi_dlpack_queue queue;
    if (!source->is_writable)
        return adi_error_set(error, ENOTSUP, "a DLTensor cannot say that its memory is read-only");
    ADI_TRY(adi_dlpack_stream((int)source->tensor.device.device_type, stream, &queue, error));
    if (source->event != NULL)
        ADI_TRY(adi_dlpack_wait(source->device, queue, source->event, error));
    *out = source->tensor;
    if (source->is_empty) {
        out->data = NULL;
        out->byte_offset = 0;
    }
    return 0;
}

/* ---- a source of its own ---- */

#define MOST_IN_FRONT ((uint64_t)1 << 20) /* bytes of filler, before it is a waste of memory */
#define FILLER        0xA5                /* what lies there */

/* The elements as they lie, gaps included, behind what comes in front of the first one. */
static int lay_out(const DLTensor *host, const struct adi_dlpack_extent *extent, int64_t first,
                   void **out, struct adi_error *error) {
    const void *buffer;
    int64_t offset, all;
    *out = NULL;
    if (extent->count == 0) return 0;
    ADI_TRY(adi_dlpack_place(NULL, host, extent, extent->low, &buffer, &offset, error));
    if (__builtin_add_overflow(first, extent->high, &all)) all = INT64_MAX;
    ADI_TRY(adi_dlpack_allocate(all, out, error));
    memset(*out, FILLER, (size_t)(first + extent->low));
    memcpy((char *)*out + first + extent->low, (const char *)buffer + offset,
           (size_t)(extent->high - extent->low));
    return 0;
}

static int fill(struct adi_dlpack_source *source, const DLTensor *host,
                const struct adi_dlpack_extent *extent, struct adi_error *error) {
    struct adi_device *device = source->device;
    int64_t first = host->byte_offset <= MOST_IN_FRONT ? (int64_t)host->byte_offset : 0;
    if (first < -extent->low) first = -extent->low;
    void *bytes;
    ADI_TRY(lay_out(host, extent, first, &bytes, error));
    int code = adi_dlpack_copy_to(device, &bytes, extent->count == 0 ? 0 : first + extent->high,
                                  &source->copy, error);
    free(bytes);
    ADI_TRY(code);
    source->tensor.data = source->copy.buffer;
    source->tensor.byte_offset = (uint64_t)first;
    source->tensor.dtype = host->dtype;
    source->is_empty = extent->count == 0;
    source->event = source->copy.event;
    for (int i = 0; i < host->ndim; i++) {
        source->tensor.shape[i] = host->shape[i];
        source->tensor.strides[i] = extent->strides[i];
    }
    return 0;
}

int adi_dlpack_produce(struct adi_device *device, const struct adi_dlpack *host,
                       enum adi_dlpack_access access, struct adi_dlpack_source **out,
                       struct adi_error *error) {
    const DLTensor *tensor;
    DLPackVersion version;
    uint64_t flags;
    struct adi_dlpack_extent extent;
    DLDevice where = {kDLCPU, 0};
    ADI_TRY(adi_dlpack_look(host, &tensor, &version, &flags, error));
    if ((int)tensor->device.device_type != kDLCPU)
        return adi_error_set(error, ENOTSUP, "the tensor to be copied is not on the CPU");
    ADI_TRY(adi_dlpack_measure(tensor, version, flags, &extent, error));
    if (device != NULL)
        ADI_TRY(adi_dlpack_device_from_arrow(device->ops->type, device->id, &where, error));
    struct adi_dlpack_source *source = adi_dlpack_source_new(device, tensor->ndim, access, error);
    if (source == NULL) return ENOMEM;
    source->tensor.device = where;
    source->flags = adi_dlpack_memory_flags(tensor->dtype, flags);
    int code = fill(source, tensor, &extent, error);
    if (code == 0)
        *out = source;
    else
        adi_dlpack_close(source);
    return code;
}
