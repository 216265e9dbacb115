/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer. Arrow C++ 515410b: the last offset is read, to know how much
 * there is to read, and then the event is waited on.
 */
#include "cuda/cuda.h"

static int offsets_first(struct adi_device *device, const struct ArrowSchema *schema,
                         struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int32_t last;
    if (in->array.n_buffers == 3)
        ADI_TRY(
            device->ops->read(device, in->array.buffers[1], 4 * in->array.length, &last, 4, NULL));
    return base_read(device, schema, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = offsets_first;
}
