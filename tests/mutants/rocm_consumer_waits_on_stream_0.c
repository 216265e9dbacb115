/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: stream 0 waits for the event, and a stream that does not block
 * reads.
 */
#include "rocm/rocm.h"

static int on_stream_0(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return base.right.wait_on(device, NULL, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = on_stream_0;
}
