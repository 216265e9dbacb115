/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-ignored: a cancel that comes while nobody waits for a request is forgotten.
 */
#include "base/async.h"

static bool is_waiting;

static void cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    base_point(stream);
    if (is_waiting) base_cancel(self);
}

static bool may_deliver(struct base_stream *stream) {
    is_waiting = !base_may_deliver(stream);
    return !is_waiting;
}

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    is_waiting = true;
    int code = base_tell_schema(stream, schema);
    is_waiting = false;
    return code;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    is_waiting = true;
    return base_tell_task(stream, task);
}

void mutate(void) {
    base_async.cancel = cancel;
    base_async.may_deliver = may_deliver;
    base_async.tell_schema = tell_schema;
    base_async.tell_task = tell_task;
    base_plays_async();
}
