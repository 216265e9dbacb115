/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is one of the other device, whose queues alone may wait.
 */
#include "metal/metal.h"

static int of_other(struct adi_device *device, void **sync_event, struct adi_error *error) {
    return base.right.event(base_other(device), sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = of_other;
}
