/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the release callback waits for the queue and then frees at once.
 */
#include "ext_dev/ext_dev.h"

static void wait_and_free(struct adi_device *device, void *buffer) {
    SIM(queue_sync)(base_queue(device));
    SIM(free)(buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = wait_and_free;
}
