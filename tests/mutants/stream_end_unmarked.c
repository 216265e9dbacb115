/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-not-marked, producer: at the end get_next answers 0 and writes nothing.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray made;
    int code = base_produced_next(self, &made);
    if (code == 0 && made.array.release != NULL) *out = made;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
