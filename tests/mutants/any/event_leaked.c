/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback forgets the event.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static void forget(struct adi_device *device, void *sync_event) {
    free_place(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event_free = forget;
}
