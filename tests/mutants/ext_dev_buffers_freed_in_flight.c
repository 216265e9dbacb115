/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback frees at once what queued copies still
 * write.
 */
#include "ext_dev/ext_dev.h"

static void at_once(struct adi_device *device, void *buffer) {
    (void)device;
    SIM(free)(buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = at_once;
}
