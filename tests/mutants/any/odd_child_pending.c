/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a parent is released while its event may be pending, its child later.
 */
#include <errno.h>

#include "../device/device_base.h"
#include "move.h"

static int take_child(struct adi_device *device, const struct ArrowSchema *schema,
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
    base.read = take_child;
}
