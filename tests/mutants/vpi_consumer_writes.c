/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: it reads, and uses the buffers as room for its own.
 */
#include "vpi/vpi.h"

static int read_and_write(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    static const char mark[] = {1};
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL)
            driver_ops.write(device, (void *)(uintptr_t)in->array.buffers[i], 0, mark, sizeof mark,
                             NULL);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_write;
}
