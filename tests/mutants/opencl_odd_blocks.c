/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the producer waits for its copies and hands out no event; the consumer blocks on the
 * event.
 */
#include "opencl/opencl.h"

static int finish(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *event;
    ADI_TRY(adi_device_opencl.event(device, &event, error));
    int code = adi_device_opencl.wait_host(device, event, error);
    adi_device_opencl.event_free(device, event);
    *sync_event = NULL;
    return code;
}

void mutate(void) {
    base.ops.event = finish;
    base.ops.wait = adi_device_opencl.wait_host;
}
