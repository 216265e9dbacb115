/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it moves a child out, releases the parent, and asks for the
 * event, which was the parent's.
 */
#include "../device/device_base.h"
#include "../device/handle.h"
#include "move.h"

static int part(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    struct ArrowArray child = {.release = NULL};
    void *handle = in->sync_event == NULL ? NULL : handle_of(device, in->sync_event);
    int code = base_read(device, schema, in, host_out);
    if (code != 0 || in->array.n_children == 0) return code;
    adi_array_move_child(&in->array, 0, &child);
    in->array.release(&in->array);
    if (handle != NULL) base_event_query(device, handle);
    child.release(&child);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = part;
}
