/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the command buffer that signals the event is committed before
 * those that write.
 */
#include "metal/metal.h"

static void *early;

static int write_behind(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    if (early == NULL) ADI_TRY(base.right.event(device, &early, error));
    return base.right.write(device, buffer, offset, from, bytes, error);
}

static int hand_out(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (early == NULL) return base.right.event(device, sync_event, error);
    *sync_event = early;
    early = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_behind;
    base.ops.event = hand_out;
}
