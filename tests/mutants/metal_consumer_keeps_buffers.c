/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it retains the buffers that it is given, and never releases them.
 */
#include "metal/metal.h"

static int read_and_retain(struct adi_device *device, const struct ArrowSchema *schema,
                           struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL) adi_mtl_retain((void *)(uintptr_t)in->array.buffers[i]);
    return base_read(device, schema, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_retain;
}
