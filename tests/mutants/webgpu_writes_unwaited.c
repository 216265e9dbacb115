/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: it writes, and hands out without waiting for the queue.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = none;
}
