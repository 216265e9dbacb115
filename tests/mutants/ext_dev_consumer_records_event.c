/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and records the event of the producer for work of its
 * own.
 */
#include "ext_dev/ext_dev.h"

static int wait_and_record(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = adi_device_ext_dev.wait(device, sync_event, error);
    SIM(event_record)(*(adi_sim_event *)sync_event, base_queue(device));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_record;
}
