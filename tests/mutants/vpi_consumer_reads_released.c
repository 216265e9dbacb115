/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer. Planted: the memory of an input is looked at before its
 * `release` is, and where that is NULL it is that of the input before.
 */
#include "vpi/vpi.h"

static const void *last;

static void look(struct adi_device *device, struct ArrowDeviceArray *in) {
    char byte;
    if (in->array.release != NULL) last = in->array.n_buffers > 1 ? in->array.buffers[1] : NULL;
    if (last != NULL) driver_ops.read(device, last, 0, &byte, 1, NULL);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.given = look;
}
