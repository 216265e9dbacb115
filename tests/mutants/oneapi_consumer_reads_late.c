/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: it reads, releases, and reads once more.
 */
#include "oneapi/oneapi.h"

static void *kept;

static int keep(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    kept = in->array.n_buffers > 1 ? base_at(in->array.buffers[1], 0) : NULL;
    return base_read(device, schema, in, host_out);
}

static void read_again(struct adi_device *device) {
    if (kept != NULL) base_copy_on(base_queue(device), base_staging(device), kept, 1);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = keep;
    base.released = read_again;
}
