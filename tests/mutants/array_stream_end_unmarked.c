/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-not-marked, producer: at the end of the copies of a stream the array is left alone.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct ArrowArray made;
    int code = base_copied_next(self, &made);
    if (code == 0 && made.release != NULL) *out = made;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
