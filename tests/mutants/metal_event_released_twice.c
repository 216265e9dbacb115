/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback releases the event twice.
 */
#include "metal/metal.h"

static void release_twice(struct adi_device *device, void *sync_event) {
    base.right.event_free(device, sync_event);
    base.right.event_free(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event_free = release_twice;
}
