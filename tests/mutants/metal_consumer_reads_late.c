/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: it reads, releases, and reads once more.
 */
#include "metal/metal.h"

static void *kept;

static int keep(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    kept = (void *)(uintptr_t)(in->array.n_buffers > 1 ? in->array.buffers[1] : NULL);
    return base_read(device, schema, in, host_out);
}

static void read_again(struct adi_device *device) {
    if (kept == NULL) return;
    void *staging = base_staged(device, "", 1);
    base_copy(base_metal(device)->queue, (struct base_part){staging, 0},
              (struct base_part){kept, 0}, 1);
    adi_mtl_release(staging);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = keep;
    base.released = read_again;
}
