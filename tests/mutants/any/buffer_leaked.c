/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback forgets the buffers.
 */
#include "../device/device_base.h"

static void forget(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = forget;
}
