/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: it waits for each write before it queues it, so that nobody waits
 * for the last one.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int wait_and_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    ADI_TRY(base_finish(device, error));
    return base_write_unwaited(device, buffer, offset, from, bytes, error);
}

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = wait_and_write;
    base.ops.event = none;
}
