/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it moves a child out, releases the parent, and asks for the
 * event, which was the parent's.
 */
#include "cuda/cuda.h"
/* needs the base */
#include "late_event.h"

static void ask(struct adi_device *device, void *handle) {
    (void)device;
    CU(cuEventQuery)((CUevent)handle);
}

static int part(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return read_and_part(device, schema, in, host_out, ask);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = part;
}
