/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback gives its event up twice.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static void twice(struct adi_device *device, void *sync_event) {
    base_api->clReleaseEvent(*(cl_event *)sync_event);
    adi_device_opencl.event_free(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event_free = twice;
}
