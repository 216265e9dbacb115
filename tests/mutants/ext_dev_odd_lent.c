/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the queue that the harness lends waits for the event, and reads.
 */
#include "ext_dev/ext_dev.h"

static adi_sim_queue lent(struct adi_device *device) {
    return base_lent_queue(device->id);
}

static int read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    return SIM(copy)(lent(device), to, (const char *)buffer + offset, (size_t)bytes, ADI_SIM_WAIT);
}

static int wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    return SIM(event_wait)(lent(device), *(adi_sim_event *)sync_event);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_on_lent;
    base.ops.read = read_on_lent;
}
