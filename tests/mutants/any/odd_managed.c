/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are managed memory that the CPU fills, so there is nothing to wait for.
 */
#include <string.h>

#include "../device/device_base.h"

static int by_cpu(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
    base.ops.write = by_cpu;
    base.ops.event = none;
}
