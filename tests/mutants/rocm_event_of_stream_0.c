/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is recorded on stream 0, which does not come behind a
 * stream that does not block.
 */
#include "rocm/rocm.h"

static int on_stream_0(struct adi_device *device, void **sync_event, struct adi_error *error) {
    return base.right.record_on(device, NULL, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = on_stream_0;
}
