/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "export.h"
#include "move.h"
#include "ways.h"

struct adi_bench_on adi_bench_on;

static const struct adi_bench_shape shape = {"1 column", 1, 1, 8};
static struct ArrowSchema schema;
static struct ArrowArray batch;

int adi_bench_open(const struct adi_device_ops *ops, struct adi_error *error) {
    struct adi_bench_on *on = &adi_bench_on;
    ADI_TRY(ops->open(0, &on->device, error));
    on->host = malloc((size_t)ADI_BENCH_LARGE);
    if (on->host == NULL || adi_bench_make(&shape, &schema, &batch) != 0)
        return adi_error_set(error, ENOMEM, "out of memory");
    memset(on->host, 1, (size_t)ADI_BENCH_LARGE);
    on->values = batch.children[0]->buffers[1];
    on->bytes = (size_t)batch.length * sizeof(int32_t);
    return ops->alloc(&on->device, ADI_BENCH_LARGE, &on->buffer, error);
}

int adi_bench_alloc(void) {
    struct adi_device *device = &adi_bench_on.device;
    void *buffer;
    ADI_TRY(device->ops->alloc(device, ADI_BENCH_SMALL, &buffer, NULL));
    device->ops->free(device, buffer);
    return 0;
}

static void keep(struct ArrowArray *array) {
    array->release = NULL;
}

/* One export must not pay for another's copies. */
int adi_bench_export(void) {
    struct adi_device *device = &adi_bench_on.device;
    struct ArrowArray in = batch;
    struct ArrowDeviceArray out;
    in.release = keep;
    ADI_TRY(adi_produce(device, &schema, &in, &out, NULL));
    int code = device->ops->wait_host(device, out.sync_event, NULL);
    adi_device_array_release(&out);
    return code;
}

int adi_bench_out(void) {
    struct adi_device *device = &adi_bench_on.device;
    return device->ops->read(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                             NULL);
}

/* ---- what plain calls hand out ---- */

struct tree {
    struct ArrowArray column, *children[1];
    const void *buffers[1], *column_buffers[2];
};

static void release_column(struct ArrowArray *array) {
    array->release = NULL;
}

static void release_tree(struct ArrowArray *array) {
    if (array->children[0]->release != NULL) array->children[0]->release(array->children[0]);
    free(array->private_data);
    array->release = NULL;
}

int adi_bench_hand_out(const void *values, void *sync_event, struct ArrowDeviceArray *out) {
    struct tree *tree = malloc(sizeof *tree);
    if (tree == NULL) return ENOMEM;
    tree->column = (struct ArrowArray){.length = batch.length,
                                       .n_buffers = 2,
                                       .buffers = tree->column_buffers,
                                       .release = release_column};
    tree->children[0] = &tree->column;
    tree->buffers[0] = tree->column_buffers[0] = NULL;
    tree->column_buffers[1] = values;
    *out = (struct ArrowDeviceArray){.array = {.length = batch.length,
                                               .n_buffers = 1,
                                               .n_children = 1,
                                               .buffers = tree->buffers,
                                               .children = tree->children,
                                               .release = release_tree,
                                               .private_data = tree},
                                     .device_id = adi_bench_on.device.id,
                                     .device_type = adi_bench_on.device.ops->type,
                                     .sync_event = sync_event};
    return 0;
}
