/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. ArrowAsyncProducer is as the document prints it.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->any.published.release = NULL;
    stream->any.published.additional_metadata = "\1\0\0\0\1\0\0\0k\1\0\0\0v";
    stream->any.published.private_data = stream;
}

void mutate(void) {
    base_async.published = true;
    base_async.opened = opened;
    base_plays_async();
}
