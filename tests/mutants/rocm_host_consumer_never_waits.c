/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the CPU reads pinned memory without a look at the event.
 */
#include <string.h>

#include "rocm/rocm.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static int by_cpu(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, base_at(buffer, offset), (size_t)bytes);
    return 0;
}

void mutate(void) {
    base_is_for_host();
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = by_cpu;
}
