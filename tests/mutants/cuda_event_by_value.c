/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer. NVIDIA/cudf#16058: sync_event is the event, not its address.
 */
#include "cuda/cuda.h"

static void *address; /* what the release needs */

static void hand_out(struct ArrowDeviceArray *out) {
    address = out->sync_event;
    out->sync_event = *(void **)address;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
