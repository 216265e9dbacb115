/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The producer keeps the task at hand in its own private_data.
 */
#include "base/async.h"

static int tell_task(struct base_stream *stream, struct base_task *task) {
    stream->any.producer.private_data = task;
    return base_tell_task(stream, task);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
