/* SPDX-License-Identifier: Apache-2.0
 *
 * life/structure-changed, consumer. apache/arrow-rs#4660: the text of an error is taken for the
 * consumer's own, and freed.
 */
#include <stdlib.h>

#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    int code = base_copied_next(self, out);
    if (code == 0) return 0;
    void *volatile text = (void *)(uintptr_t)stream->in.get_last_error(&stream->in);
    free(text);
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
