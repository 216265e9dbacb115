/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: the nulls of the struct itself are dropped where a chunk becomes a
 * record batch.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct ArrowArray made;
    int code = base_copied_next(self, &made);
    if (code != 0) return code;
    if (made.release != NULL && made.null_count != 0 && made.n_buffers == 1) {
        ((uint8_t *)(uintptr_t)made.buffers[0])[0] = 0xff;
        made.null_count = -1;
    }
    *out = made;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
