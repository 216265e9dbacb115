/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is one of a context that the array's device is not in.
 */
#include "opencl/opencl.h"

static struct adi_device second;

static int of_second(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *own;
    ADI_TRY(adi_device_opencl.event(device, &own, error));
    int code = adi_device_opencl.wait_host(device, own, error);
    adi_device_opencl.event_free(device, own);
    if (code == 0 && second.ops == NULL) code = adi_device_opencl.open(1, &second, error);
    return code != 0 ? code : adi_device_opencl.event(&second, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = of_second;
}
