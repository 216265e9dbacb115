/* SPDX-License-Identifier: Apache-2.0
 *
 * life/hang, producer: the engine never raises dma_done, and the producer has no limit to its
 * patience.
 */
#include "vpi/vpi.h"

static int write_to_a_broken_engine(struct adi_device *device, void *buffer, int64_t offset,
                                    const void *from, int64_t bytes, struct adi_error *error) {
    driver_break();
    return driver_ops.write(device, buffer, offset, from, bytes, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_to_a_broken_engine;
}
