/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: it lets the runtime tell what it has to tell, and has not asked to
 * be told anything.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int looked(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    wgpu.InstanceProcessEvents(base_instance());
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = looked;
}
