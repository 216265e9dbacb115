/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback wipes each buffer, and frees it before
 * anybody has waited for that.
 */
#include "hexagon/hexagon.h"

static void wipe_and_free(struct adi_device *device, void *buffer) {
    base_write_unwaited(device, buffer, 0, "", 1, NULL);
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = wipe_and_free;
}
