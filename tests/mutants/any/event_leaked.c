/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback forgets the event.
 */
#include <stdlib.h>

#include "../device/device_base.h"

static void forget(struct adi_device *device, void *sync_event) {
    (void)device;
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event_free = forget;
}
