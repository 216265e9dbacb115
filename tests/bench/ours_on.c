/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "export.h"
#include "move.h"
#include "ways.h"

struct adi_bench_on adi_bench_on;

static const struct adi_bench_shape shape = {"1 column", 1, 1};
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
