/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is destroyed when the array is handed out.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static void hand_out(struct ArrowDeviceArray *out) {
    base_event_destroy(base_last(), handle_of(base_last(), out->sync_event));
}

static void keep(struct adi_device *device, void *sync_event) {
    free_place(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
    base.ops.event_free = keep;
}
