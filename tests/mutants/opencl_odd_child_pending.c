/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the wait is queued, a child is moved out, and the parent is released while its event may
 * still be pending; the child is released later.
 */
#include <errno.h>

#include "move.h"
#include "opencl/opencl.h"

static int part(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    struct ArrowArray child;
    if (in->array.n_children == 0) return base_read(device, schema, in, host_out);
    ADI_TRY(device->ops->wait(device, in->sync_event, NULL));
    adi_array_move_child(&in->array, 0, &child);
    adi_device_array_release(in);
    adi_array_release(&child);
    return ENOTSUP;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = part;
}
