/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, consumer: it queues copies into memory of the host that is its own, and
 * looks there before they have been waited for.
 */
#include <string.h>

#include "oneapi/oneapi.h"

static int look_early(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    if (bytes == 0 || bytes > 1 << 20)
        return base.right.read(device, buffer, offset, to, bytes, error);
    base_copy_on(base_queue(device), base_staging(device), base_at(buffer, offset), bytes);
    (void)*(volatile char *)base_staging(device);
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    memcpy(to, base_staging(device), (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look_early;
}
