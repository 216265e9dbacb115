/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: pinned memory, which the CPU reads after the event.
 */
#include <string.h>

#include "rocm/rocm.h"

static int by_cpu(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, base_at(buffer, offset), (size_t)bytes);
    return 0;
}

static int block(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return base.right.wait_host(device, sync_event, error);
}

void mutate(void) {
    base_is_for_host();
    base.roles = ADI_CONSUMES;
    base.ops.wait = block;
    base.ops.read = by_cpu;
}
