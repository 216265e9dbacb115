/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include <stddef.h>

#include "block.h"
#include "layout.h"
#include "move.h"
#include "type.h"

static void release_owner(void *tail) {
    struct adi_owner *owner = tail;
    if (owner->release != NULL) owner->release(owner->state);
}

int adi_export(const struct ArrowArray *from, struct adi_owner owner, struct ArrowArray *out,
               struct adi_error *error) {
    void *tail;
    ADI_TRY(adi_block_export(from, release_owner, sizeof owner, out, &tail, error));
    *(struct adi_owner *)tail = owner;
    return 0;
}

static void release_host(void *tail) {
    adi_array_release(tail);
}

int adi_export_host(struct ArrowArray *host, struct ArrowDeviceArray *out,
                    struct adi_error *error) {
    struct ArrowArray tree;
    void *tail;
    ADI_TRY(adi_block_export(host, release_host, sizeof *host, &tree, &tail, error));
    adi_array_move(host, tail);
    *out =
        (struct ArrowDeviceArray){.array = tree, .device_id = -1, .device_type = ARROW_DEVICE_CPU};
    return 0;
}

/* What a produced tree holds on its device. */
struct holding {
    struct adi_device *device;
    void *event;
    size_t n_buffers;
    void *buffers[];
};

static void release_holding(void *tail) {
    struct holding *holding = tail;
    const struct adi_device_ops *ops = holding->device->ops;
    if (holding->event != NULL) ops->event_free(holding->device, holding->event);
    for (size_t i = 0; i < holding->n_buffers; i++) ops->free(holding->device, holding->buffers[i]);
}

static int copy_to_device(void *state, const struct adi_buffer *buffer, struct adi_error *error) {
    struct holding *holding = state;
    struct adi_device *device = holding->device;
    const void *from = buffer->array->buffers[buffer->index];
    int64_t bytes = 0;
    *buffer->copy = NULL;
    if (from != NULL)
        ADI_TRY(
            adi_type_buffer_bytes(buffer->type, buffer->array, buffer->index, NULL, &bytes, error));
    if (bytes == 0) return 0;

    void *to;
    ADI_TRY(device->ops->alloc(device, bytes, &to, error));
    holding->buffers[holding->n_buffers++] = to;
    *buffer->copy = to;
    return device->ops->write(device, to, 0, from, bytes, error);
}

static int batch_submissions(struct adi_device *device, bool on, struct adi_error *error) {
    return ADI_DEVICE_HAS(device->ops, batch_submissions)
               ? device->ops->batch_submissions(device, on, error)
               : 0;
}

/* One submission where the API has such; whatever happens, nothing is left to be submitted. */
static int copy_all(struct holding *holding, const struct ArrowSchema *schema,
                    struct ArrowArray *host, struct ArrowArray *tree, struct adi_error *error) {
    struct adi_device *device = holding->device;
    int code = batch_submissions(device, true, error);
    if (code == 0) code = adi_block_walk(schema, host, tree, copy_to_device, holding, error);
    if (code == 0) code = device->ops->event(device, &holding->event, error);
    int end = batch_submissions(device, false, code == 0 ? error : NULL);
    return code != 0 ? code : end;
}

int adi_produce(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowArray *host, struct ArrowDeviceArray *out, struct adi_error *error) {
    struct ArrowArray tree;
    void *tail;
    size_t tail_bytes = sizeof(struct holding) + adi_block_buffers(host) * sizeof(void *);
    ADI_TRY(adi_block_export(host, release_holding, tail_bytes, &tree, &tail, error));
    struct holding *holding = tail;
    *holding = (struct holding){.device = device};

    int code = copy_all(holding, schema, host, &tree, error);
    if (code != 0) {
        adi_array_release(&tree);
        return code;
    }
    *out = (struct ArrowDeviceArray){.array = tree,
                                     .device_id = device->id,
                                     .device_type = device->ops->type,
                                     .sync_event = holding->event};
    adi_array_release(host);
    return 0;
}
