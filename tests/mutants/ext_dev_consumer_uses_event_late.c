/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it asks for the event after the release.
 */
#include "ext_dev/ext_dev.h"

static adi_sim_event kept;

static int remember(struct adi_device *device, void *sync_event, struct adi_error *error) {
    kept = *(adi_sim_event *)sync_event;
    return adi_device_ext_dev.wait(device, sync_event, error);
}

static void ask(struct adi_device *device) {
    (void)device;
    SIM(event_query)(kept);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = remember;
    base.released = ask;
}
