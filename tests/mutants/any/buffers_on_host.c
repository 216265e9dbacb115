/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer. apache/arrow#42113: addresses of the host are handed out
 * as buffers of the device.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../device/device_base.h"

static int on_host(struct adi_device *device, int64_t bytes, void **buffer,
                   struct adi_error *error) {
    (void)device, (void)error;
    *buffer = malloc((size_t)bytes);
    return *buffer == NULL ? ENOMEM : 0;
}

static int copy(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

static void give_back(struct adi_device *device, void *buffer) {
    (void)device;
    free(buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = on_host;
    base.ops.write = copy;
    base.ops.free = give_back;
}
