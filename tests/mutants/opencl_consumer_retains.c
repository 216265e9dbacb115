/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer. Planted: the buffers are retained, the array is released, and
 * what was retained is read afterwards. That keeps the cl_mem alive; what is in it is the
 * producer's again.
 */
#include "opencl/retains.h"

static int read_and_retain(struct adi_device *device, const struct ArrowSchema *schema,
                           struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    retain(&in->array);
    return base_read(device, schema, in, host_out);
}

static void read_again(struct adi_device *device) {
    char byte;
    for (size_t i = 0; i < n_retained; i++)
        base.ops.read(device, retained[i], 0, &byte, sizeof byte, NULL);
    give_back(device);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_retain;
    base.released = read_again;
}
