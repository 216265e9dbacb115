/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-calls-back: cancel releases the handler itself, once no other thread is in a
 * callback, and nothing is called behind that.
 */
#include "base/async.h"

static bool is_calling, is_released;
static pthread_t caller;

static void opened(struct base_stream *stream) {
    (void)stream;
    is_calling = is_released = false;
}

static void cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    while (is_calling && !pthread_equal(caller, pthread_self())) base_await_change(stream);
    is_released = true;
    base_unlock(stream);
    base_release_handler(stream);
    base_cancel(self);
}

/* false: the handler is gone. */
static bool begin(struct base_stream *stream) {
    base_lock(stream);
    is_calling = !is_released;
    caller = pthread_self();
    base_unlock(stream);
    return is_calling;
}

static int end(struct base_stream *stream, int code) {
    base_lock(stream);
    is_calling = false;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
    return code;
}

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    return begin(stream) ? end(stream, base_tell_schema(stream, schema)) : -1;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (begin(stream)) return end(stream, base_tell_task(stream, task));
    if (task != NULL) base_extract(&(struct ArrowAsyncTask){NULL, task}, NULL);
    return -1;
}

static void release(struct base_stream *stream) {
    if (!is_released) base_release_handler(stream);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.cancel = cancel;
    base_async.tell_schema = tell_schema;
    base_async.tell_task = tell_task;
    base_async.release = release;
    base_plays_async();
}
