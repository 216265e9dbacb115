/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: chunks without a row are left out.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    while (code == 0 && out->array.release != NULL && out->array.length == 0) {
        out->array.release(&out->array);
        code = base_produced_next(self, out);
    }
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
