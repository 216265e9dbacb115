/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a command of its queue writes the first byte of a buffer that it
 * has read.
 */
#include "metal/metal.h"

static int read_and_write(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    void *buffer = (void *)(uintptr_t)(in->array.n_buffers > 1 ? in->array.buffers[1] : NULL);
    if (buffer != NULL) {
        base.right.write(device, buffer, 0, "", 1, NULL);
        base_drain(base_metal(device)->queue);
    }
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_write;
}
