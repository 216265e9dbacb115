/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-valid: the producer is another object once the schema was told.
 */
#include "base/async.h"

static struct ArrowAsyncProducer other;

static int tell_task(struct base_stream *stream, struct base_task *task) {
    other = stream->any.producer;
    stream->handler->producer = &other;
    return base_tell_task(stream, task);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
