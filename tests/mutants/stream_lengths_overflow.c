/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer: each chunk says that it has more rows than all of them can have.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code == 0 && out->array.release != NULL) out->array.length = INT64_MAX;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
