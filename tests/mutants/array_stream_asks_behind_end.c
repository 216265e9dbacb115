/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/next-after-end, consumer: an ArrowArrayStream has ended when its end came twice.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    return code == 0 && out->array.release == NULL ? base_produced_next(self, out) : code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
