/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it reads on the queue that the harness lends, without a look at
 * the event, as if the harness had written its arrays there.
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

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = read_on_lent;
}
