/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a chunk that it cannot take is refused when its turn comes.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray made;
    int code = base_produced_next(self, &made);
    if (code != 0) return code;
    if (made.array.release != NULL && base_stream_of(self)->chunks == 2) {
        made.array.release(&made.array);
        return ENOTSUP;
    }
    *out = made;
    return 0;
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return "it failed";
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = error;
    base_produced.get_next = next;
}
