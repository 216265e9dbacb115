/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, consumer: it queues copies into pinned memory of its own, and looks there
 * before they have been waited for.
 */
#include <string.h>

#include "rocm/rocm.h"

static int look_early(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    if (bytes == 0 || bytes > 1 << 20)
        return base.right.read(device, buffer, offset, to, bytes, error);
    HIP(hipMemcpyAsync)
    (base_staging(), base_at(buffer, offset), (size_t)bytes, hipMemcpyDefault, base_stream(device));
    (void)*(volatile char *)base_staging();
    HIP(hipStreamSynchronize)(base_stream(device));
    memcpy(to, base_staging(), (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look_early;
}
