/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: the buffers are retained, the array is released, and what was
 * retained is read. That keeps the MTLBuffer alive; what is in it is its owner's again.
 */
#include "metal/metal.h"

#define MOST 16

static void *retained[MOST];
static int64_t n_retained;

static int read_and_retain(struct adi_device *device, const struct ArrowSchema *schema,
                           struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    for (int64_t i = 0; i < in->array.n_buffers && n_retained < MOST; i++)
        if (in->array.buffers[i] != NULL)
            retained[n_retained++] = adi_mtl_retain((void *)(uintptr_t)in->array.buffers[i]);
    return base_read(device, schema, in, host_out);
}

static void read_again(struct adi_device *device) {
    char byte;
    while (n_retained > 0) {
        void *buffer = retained[--n_retained];
        base.right.read(device, buffer, 0, &byte, 1, NULL);
        adi_mtl_release(buffer);
    }
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_retain;
    base.released = read_again;
}
