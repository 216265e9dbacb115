/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and destroys the event of the producer.
 */
#include "ext_dev/ext_dev.h"

static int wait_and_destroy(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = adi_device_ext_dev.wait(device, sync_event, error);
    SIM(event_destroy)(*(adi_sim_event *)sync_event);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_destroy;
}
