/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: device_id is not looked at, and a queue of the first device
 * reads what is on the second.
 */
#include "ext_dev/ext_dev.h"

static int read_there(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)device;
    int code = SIM(copy)(base_queue(base_other(device)), to, (const char *)buffer + offset,
                         (size_t)bytes, 0);
    return code == 0 ? 0 : adi_error_set(error, code, "the queue does not reach it");
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_there;
}
