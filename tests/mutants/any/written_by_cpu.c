/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the CPU fills memory of the device.
 */
#include <string.h>

#include "../device/device_base.h"

static int by_cpu(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = by_cpu;
}
