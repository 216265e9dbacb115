/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the command buffer that signals is retained, and never released.
 */
#include "metal/metal.h"

static int retain(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *pool = adi_metal_push();
    adi_mtl_retain(adi_mtl_commandBuffer(base_metal(device)->queue));
    adi_metal_pop(pool);
    return base.right.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = retain;
}
