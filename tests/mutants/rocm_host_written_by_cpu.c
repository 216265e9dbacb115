/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the CPU fills pinned memory that queued work still writes.
 */
#include <string.h>

#include "rocm/rocm.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    (void)error;
    HIP(hipMemsetAsync)(base_at(buffer, offset), 0, (size_t)bytes, base_stream(device));
    memcpy(base_at(buffer, offset), from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base_is_for_host();
    base.roles = ADI_PRODUCES;
    base.ops.write = fill;
}
