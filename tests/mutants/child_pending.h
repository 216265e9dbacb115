/* SPDX-License-Identifier: Apache-2.0
 *
 * A consumer, over the base of any device, that queues a wait, takes a child out and releases the
 * parent while the event may still be pending, then the child.
 */
#ifndef CHILD_PENDING_H
#define CHILD_PENDING_H

#include <errno.h>

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

#endif /* CHILD_PENDING_H */
