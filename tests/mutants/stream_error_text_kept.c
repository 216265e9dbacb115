/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-kept, consumer: the text of an error is kept, and the stream released.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

static const char *kept;

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    int code = base_copied_next(self, out);
    if (code == 0) return 0;
    kept = stream->in.get_last_error(&stream->in);
    stream->in.release(&stream->in);
    return code;
}

static const char *text(struct ArrowArrayStream *self) {
    struct base_stream *stream = base_copy_of(self);
    free(stream->more);
    stream->more = kept == NULL ? NULL : base_copy_bytes(kept, strlen(kept) + 1);
    return stream->more;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
    base_copied.get_last_error = text;
}
