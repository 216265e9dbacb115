/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-metadata-malformed: the metadata of an error is a text.
 */
#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    stream->handler->on_error(stream->handler, code, NULL, "\377\377\377\377 why");
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
