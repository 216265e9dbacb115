/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-not-marked, producer: whatever came from below, the end too, gets a release callback
 * of its own, as nanoarrow's CUDA device does it.
 */
#include <string.h>

#include "base/stream.h"

static void release(struct ArrowArray *self) {
    self->release = NULL;
}

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release != NULL) return code;
    *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    memset(&out->array, 0x5a, sizeof out->array);
    out->array.release = release;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
