/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: a command encoder for each array is never released.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int event_and_encoder(struct adi_device *device, void **sync_event,
                             struct adi_error *error) {
    wgpu.DeviceCreateCommandEncoder(base_on(device)->device, NULL);
    return base.right.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = event_and_encoder;
}
