/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/source-error-lost, producer: an ArrowArrayStream that fails is taken for ended.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    if (base_produced_next(self, out) != 0) out->array.release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
