/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: every copy goes through one pinned buffer, which the next one
 * fills while the copy before is still queued.
 */
#include <string.h>

#include "ext_dev/ext_dev.h"

static char *staging;

static int staged(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    if (bytes > 4096) return adi_device_ext_dev.write(device, buffer, offset, from, bytes, error);
    if (staging == NULL)
        ADI_TRY(SIM(alloc)(base_context(device), ADI_SIM_PINNED, 4096, (void **)&staging));
    /* The first byte first: a touch of other bytes would open the page for the rest of the copy. */
    *(volatile char *)staging = *(const char *)from;
    memcpy(staging, from, (size_t)bytes);
    return SIM(copy)(base_queue(device), (char *)buffer + offset, staging, (size_t)bytes, 0);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = staged;
}
