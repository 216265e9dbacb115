/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-never-completes, producer: the signal is encoded, and its command buffer never
 * committed.
 */
#include "metal/metal.h"

static int encoded_only(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = adi_mtl_newEvent(base_metal(device)->device);
    if (*sync_event == NULL) return adi_error_set(error, 12, "no event");
    void *pool = adi_metal_push();
    adi_mtl_encodeSignal(adi_mtl_commandBuffer(base_metal(device)->queue), *sync_event,
                         ADI_METAL_VALUE);
    adi_metal_pop(pool);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = encoded_only;
}
