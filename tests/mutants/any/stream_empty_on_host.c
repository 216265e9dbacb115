/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/bufferless-chunk-on-cpu, producer. Arrow C++ exports a batch without buffers as one of the
 * CPU.
 */
#include <stddef.h>

#include "../device/device_base.h"

static void exported(struct ArrowDeviceArray *out) {
    if (out->array.length > 0 || out->array.n_buffers != 2 || out->array.buffers[1] != NULL) return;
    out->device_type = ARROW_DEVICE_CPU;
    out->device_id = -1;
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.exported = exported;
}
