/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is recorded before the writes are queued.
 */
#include "../device/device_base.h"

static void *early;

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    if (early == NULL) ADI_TRY(base.right.event(device, &early, error));
    return base.right.alloc(device, bytes, buffer, error);
}

static int hand_out(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = early;
    if (early == NULL) return base.right.event(device, sync_event, error);
    early = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc;
    base.ops.event = hand_out;
}
