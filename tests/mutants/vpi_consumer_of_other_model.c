/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: it does not look at device_id, and reads the addresses in the other
 * model.
 */
#include "vpi/vpi.h"

static int read_elsewhere(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    driver_turn_to(1 - (int)device->id);
    return base_read(device, schema, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_elsewhere;
}
