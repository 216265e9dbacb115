/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it asks for the event after the release, without having retained
 * it.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static void *kept;

static int remember(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) kept = handle_of(device, sync_event);
    return base.right.wait_host(device, sync_event, error);
}

static void ask(struct adi_device *device) {
    if (kept != NULL) base_event_query(device, kept);
    kept = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = remember;
    base.released = ask;
}
