/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/chunk-of-other-type, producer: the device can reach the chunk, which is in pinned memory
 * and says that it is on the CPU.
 */
#include "../device/device_base.h"

static void exported(struct ArrowDeviceArray *out) {
    if (out->array.length == 0) return;
    base.right.wait_host(base_last(), out->sync_event, NULL);
    out->device_type = ARROW_DEVICE_CPU;
    out->device_id = -1;
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base_allocates(PINNED);
    base.exported = exported;
}
