/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it waits on an event, but on one of its own.
 */
#include "cuda/cuda.h"

static int own(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *event;
    (void)sync_event;
    ADI_TRY(adi_device_cuda.event(device, &event, error));
    int code = adi_device_cuda.wait(device, event, error);
    adi_device_cuda.event_free(device, event);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = own;
}
