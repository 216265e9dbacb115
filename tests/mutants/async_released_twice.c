/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-release: the handler is released twice, by a pointer that was kept.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    void (*callback)(struct ArrowAsyncDeviceStreamHandler *) = stream->handler->release;
    callback(stream->handler);
    callback(stream->handler);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
