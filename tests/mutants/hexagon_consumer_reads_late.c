/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: what it has read it has the DSP add up when the array is
 * released.
 */
#include "hexagon/hexagon.h"

static uint32_t last;

static int note(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0) last = base_address(buffer) + (uint32_t)offset;
    return base.right.read(device, buffer, offset, to, bytes, error);
}

static void add_up(struct adi_device *device) {
    uint64_t sum;
    if (last != 0) base_driver(device)->sum(base_driver(device), last, 1, &sum);
    last = 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = note;
    base.released = add_up;
}
