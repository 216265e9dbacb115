/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-never-completes, producer: the event is made, and no command buffer signals it.
 */
#include "metal/metal.h"

static int made_only(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = adi_mtl_newEvent(base_metal(device)->device);
    return *sync_event != NULL ? 0 : adi_error_set(error, 12, "no event");
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = made_only;
}
