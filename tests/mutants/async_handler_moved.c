/* SPDX-License-Identifier: Apache-2.0
 *
 * async/handler-moved: the handler is moved as an array is, which marks the source released, and
 * called where it is now.
 */
#include <stdlib.h>

#include "base/async.h"

static void opened(struct base_stream *stream) {
    struct ArrowAsyncDeviceStreamHandler *here = malloc(sizeof *here);
    if (here == NULL) return;
    *here = *stream->handler;
    stream->handler->release = NULL;
    stream->handler = here;
}

/* Nobody looks at it once it is released. */
static void release(struct base_stream *stream) {
    base_release_handler(stream);
    free(stream->handler);
    stream->handler = NULL;
}

void mutate(void) {
    base_async.opened = opened;
    base_async.release = release;
    base_plays_async();
}
