/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a command of its queue clears the first byte of a buffer that it
 * has read.
 */
#include "ext_dev/ext_dev.h"

static int read_and_clear(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    void *buffer = (void *)(uintptr_t)(in->array.n_buffers > 1 ? in->array.buffers[1] : NULL);
    if (buffer != NULL && SIM(fill)(base_queue(device), buffer, 0, 1, 1) == 0)
        SIM(queue_sync)(base_queue(device));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_clear;
}
