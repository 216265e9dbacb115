/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it moves a child out, releases the parent, and asks for the
 * event, which was the parent's.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "late_event.h"

static void ask(struct adi_device *device, void *handle) {
    cl_int status;
    (void)device;
    base.api->clGetEventInfo((cl_event)handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                             &status, NULL);
}

static int part(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return read_and_part(device, schema, in, host_out, ask);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = part;
}
