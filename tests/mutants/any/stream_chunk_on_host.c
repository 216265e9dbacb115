/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/chunk-not-accessible, producer: chunks after the first stay in host memory, and say so.
 */
#include <stdlib.h>

#include "../device/device_base.h"

static int chunks;

static void begin(void) {
    chunks = 0;
}

/* An int32 array of the host in the place of the device's. */
struct on_host {
    int32_t values[128];
    const void *buffers[2];
};

static void release(struct ArrowArray *array) {
    free(array->private_data);
    array->release = NULL;
}

static void exported(struct ArrowDeviceArray *out) {
    if (chunks++ == 0 || out->array.n_buffers != 2) return;
    struct on_host *made = calloc(1, sizeof *made);
    if (made == NULL) abort();
    const int64_t length = out->array.length;
    out->array.release(&out->array);
    made->buffers[1] = made->values;
    *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    out->array = (struct ArrowArray){.length = length,
                                     .n_buffers = 2,
                                     .buffers = made->buffers,
                                     .release = release,
                                     .private_data = made};
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.begins = begin;
    base.exported = exported;
}
