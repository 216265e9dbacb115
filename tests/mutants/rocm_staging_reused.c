/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: every copy goes through one pinned buffer, which the next one
 * fills while the copy before is still queued.
 */
#include <string.h>

#include "rocm/rocm.h"

static int staged(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    if (bytes > 4096) return base.right.write(device, buffer, offset, from, bytes, error);
    memcpy(base_staging(), from, (size_t)bytes);
    return base.right.write(device, buffer, offset, base_staging(), bytes, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = staged;
}
