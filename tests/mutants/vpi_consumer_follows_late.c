/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer. Planted: the array is released, and what its memory says
 * afterwards is taken for a place, which is none.
 */
#include "vpi/vpi.h"

static const void *last;

static void note(struct adi_device *device, struct ArrowDeviceArray *in) {
    (void)device;
    last = in->array.release != NULL && in->array.n_buffers > 1 ? in->array.buffers[1] : NULL;
}

static void follow(struct adi_device *device) {
    const volatile char *place;
    if (last == NULL) return;
    driver_ops.read(device, last, 0, &place, sizeof place, NULL);
    (void)*place;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.given = note;
    base.released = follow;
}
