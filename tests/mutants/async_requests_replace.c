/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: what is still owed is forgotten when more is requested. Outside of
 * callbacks a batch is owed until it is extracted, so that it makes no difference how soon the
 * thread of the stream comes to it.
 */
#include "base/async.h"

static _Thread_local bool is_called_back;

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    is_called_back = true;
    int code = base_tell_schema(stream, schema);
    is_called_back = false;
    return code;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    is_called_back = true;
    int code = base_tell_task(stream, task);
    is_called_back = false;
    return code;
}

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    /* The first user is the thread, the others are tasks. */
    int64_t given = stream->delivered - (is_called_back ? 0 : stream->users - 1);
    bool replaces = stream->requested > given && !stream->is_cancelled && n > 0 && n < 1000;
    if (replaces) stream->requested = given + n;
    base_unlock(stream);
    if (!replaces) base_request(self, n);
}

void mutate(void) {
    base_async.request = request;
    base_async.tell_schema = tell_schema;
    base_async.tell_task = tell_task;
    base_plays_async();
}
