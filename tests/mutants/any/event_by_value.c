/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer. NVIDIA/cudf#16058: sync_event is the event, not its address.
 */
#include "../device/device_base.h"

static void hand_out(struct ArrowDeviceArray *out) {
    if (out->sync_event != NULL) out->sync_event = *(void **)out->sync_event;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
