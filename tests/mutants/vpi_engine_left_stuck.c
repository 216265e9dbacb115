/* SPDX-License-Identifier: Apache-2.0
 *
 * Not a defect of the interface: a consumer that leaves the engine broken, so that the harness's
 * own next command is never done (tests/devices/vpi_run.c).
 */
#include "vpi/vpi.h"

static int read_and_break(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    driver_break();
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_break;
}
