/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer retains the buffers, reads them, releases the array, and gives its own
 * references up afterwards.
 */
#include "opencl/retains.h"

static int read_and_retain(struct adi_device *device, const struct ArrowSchema *schema,
                           struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    retain(&in->array);
    return base_read(device, schema, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_retain;
    base.released = give_back;
}
