/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer: of the buffers of an array only the first is ever written.
 */
#include "vpi/vpi.h"

static bool has_written;

static int once(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    bool again = has_written;
    has_written = true;
    return again ? 0 : driver_ops.write(device, buffer, offset, from, bytes, error);
}

static void begin_anew(struct ArrowDeviceArray *out) {
    (void)out;
    has_written = false;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = once;
    base.exported = begin_anew;
}
