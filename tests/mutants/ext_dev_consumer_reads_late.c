/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: it reads, releases, and reads once more.
 */
#include "ext_dev/ext_dev.h"

static const void *kept;

static int keep(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    kept = in->array.n_buffers > 1 ? in->array.buffers[1] : NULL;
    return base_read(device, schema, in, host_out);
}

static void read_again(struct adi_device *device) {
    char byte;
    if (kept != NULL) SIM(copy)(base_queue(device), &byte, kept, 1, 0);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = keep;
    base.released = read_again;
}
