/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and records the event of the producer for work of its
 * own.
 */
#include "rocm/rocm.h"

static int wait_and_record(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = base.right.wait(device, sync_event, error);
    if (sync_event != NULL) HIP(hipEventRecord)(*(hipEvent_t *)sync_event, base_stream(device));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_record;
}
