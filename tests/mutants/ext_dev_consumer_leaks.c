/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it makes an event for each array, and keeps them all.
 */
#include "ext_dev/ext_dev.h"

static int wait_and_keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    adi_sim_event event;
    ADI_TRY(SIM(event_create)(base_context(device), &event));
    return adi_device_ext_dev.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_keep;
}
