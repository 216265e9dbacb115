/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it takes sync_event for the address of a handle, and looks for
 * it there.
 */
#include "oneapi/oneapi.h"

static int look(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) (void)*(void *volatile *)sync_event;
    return base.right.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = look;
}
