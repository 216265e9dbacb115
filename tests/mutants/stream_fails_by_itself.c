/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/fails-by-itself, producer: the second chunk cannot be read, though what it is made of can.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray made;
    if (base_stream_of(self)->chunks != 1) return base_produced_next(self, out);
    int code = base_produced_next(self, &made);
    if (code != 0) return code;
    if (made.array.release == NULL) {
        out->array.release = NULL;
        return 0;
    }
    made.array.release(&made.array);
    return EIO;
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
