/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer. apache/arrow#42113: addresses of the map are taken for
 * addresses of the host.
 */
#include <string.h>

#include "vpi/vpi.h"

static int from_host(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = from_host;
}
