/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the buffers are read without a look at the event, and what it
 * finds is what lay in that memory before: an object of the runtime like the one that the handle
 * means.
 */
#include <string.h>

#include "opencl/opencl.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static int read_recycled(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.read(device, buffer, offset, to, bytes, error));
    memcpy(to, buffer, bytes < 8 ? (size_t)bytes : 8);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = read_recycled;
}
