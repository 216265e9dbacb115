/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: it keeps the address of the event's handle, and looks there
 * when the array is released.
 */
#include "../device/device_base.h"

static void **place;
static void *volatile seen;

static int keep(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    place = in->sync_event;
    return base_read(device, schema, in, host_out);
}

static void look(struct adi_device *device) {
    (void)device;
    if (place != NULL) seen = *place;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = keep;
    base.released = look;
}
