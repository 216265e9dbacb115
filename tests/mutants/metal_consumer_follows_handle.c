/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer. Planted: the MTLBuffer is taken for a pointer, and what
 * lies there is copied.
 */
#include "metal/metal.h"

#include <string.h>

static int read_from_handle(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                            int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_from_handle;
}
