/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is destroyed when the array is handed out.
 */
#include <stdlib.h>

#include "../device/device_base.h"

static void hand_out(struct ArrowDeviceArray *out) {
    base_event_destroy(base_last(), *(void **)out->sync_event);
}

static void keep(struct adi_device *device, void *sync_event) {
    (void)device;
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
    base.ops.event_free = keep;
}
