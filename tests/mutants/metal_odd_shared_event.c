/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: sync_event is an MTLSharedEvent, which is an MTLEvent.
 */
#include "metal/metal.h"

static int shared(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = adi_mtl_newSharedEvent(base_metal(device)->device);
    if (*sync_event == NULL) return adi_error_set(error, 12, "no event");
    adi_metal_submit(base_metal(device));
    base_commit_signal(base_metal(device)->queue, *sync_event, ADI_METAL_VALUE);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = shared;
}
