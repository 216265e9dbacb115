/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer. vortex-data/vortex#8952: the event is signaled by a queue that
 * did not write.
 */
#include "metal/metal.h"

static int elsewhere(struct adi_device *device, void **sync_event, struct adi_error *error) {
    return device->ops->record_on(device, base_second_queue(device), sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = elsewhere;
}
