/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the host waits, for the event and for the whole queue.
 */
#include "oneapi/oneapi.h"

static int block(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    if (sync_event != NULL) SYCL(DPCTLEvent_WaitAndThrow)(sync_event);
    return 0;
}

static int write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                 int64_t bytes, struct adi_error *error) {
    ADI_TRY(base.right.write(device, buffer, offset, from, bytes, error));
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    return 0;
}

void mutate(void) {
    base.ops.wait = block;
    base.ops.write = write;
}
