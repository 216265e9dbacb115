/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-without-event-type, producer: sync_event points to its queue.
 */
#include "webgpu/webgpu.h"

static int of_its_own(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base.right.event(device, sync_event, error));
    *sync_event = &base_on(device)->queue;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = of_its_own;
}
