/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/chunk-of-other-schema, producer: the source has changed its schema, and the chunks follow.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    static const struct ArrowSchema other = {.format = "n"};
    static const struct ArrowArray nulls = {.length = 3, .null_count = 3};
    struct ArrowDeviceArray made;
    int code = base_produced_next(self, &made);
    if (code != 0) return code;
    if (made.array.release != NULL && base_stream_of(self)->chunks == 3) {
        made.array.release(&made.array);
        code = base_array_copy(&other, &nulls, &made.array);
    }
    if (code == 0) *out = made;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
