/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer. Planted: the event is waited on before `release` is looked
 * at, and an input that was released is taken for the one before, whose event is gone. Whatever
 * comes of that, it is this one mistake.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static void *last;

static void wait_for(struct adi_device *device, struct ArrowDeviceArray *in) {
    if (in->array.release != NULL && in->sync_event != NULL)
        last = handle_of(device, in->sync_event);
    if (last != NULL) base.ops.wait_host(device, is_object(device) ? last : (void *)&last, NULL);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.given = wait_for;
}
