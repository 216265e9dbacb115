/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer. NVIDIA/cudf#16058: sync_event is the event, not its address.
 */
#include "ext_dev/ext_dev.h"

static void hand_out(struct ArrowDeviceArray *out) {
    out->sync_event = *(void **)out->sync_event;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
