/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-asked-without-error, consumer: get_last_error is asked whether something is wrong.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    int code = base_copied_next(self, out);
    return stream->in.get_last_error(&stream->in) == NULL ? code : EIO;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
