/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, consumer: it queues copies into pinned memory of its own, and looks there
 * before they have been waited for.
 */
#include <string.h>

#include "ext_dev/ext_dev.h"

static char *staging;

static int look_early(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    if (staging == NULL)
        ADI_TRY(SIM(alloc)(base_context(device), ADI_SIM_PINNED, 1 << 20, (void **)&staging));
    if (bytes == 0 || bytes > 1 << 20)
        return adi_device_ext_dev.read(device, buffer, offset, to, bytes, error);
    ADI_TRY(
        SIM(copy)(base_queue(device), staging, (const char *)buffer + offset, (size_t)bytes, 0));
    (void)*(volatile char *)staging;
    ADI_TRY(SIM(queue_sync)(base_queue(device)));
    memcpy(to, staging, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look_early;
}
