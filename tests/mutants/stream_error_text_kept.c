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

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    host_out->get_next = next;
    host_out->get_last_error = text;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
