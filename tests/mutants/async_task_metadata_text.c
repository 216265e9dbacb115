/* SPDX-License-Identifier: Apache-2.0
 *
 * async/metadata-malformed: the metadata of a task is a text.
 */
#include "base/async.h"

static int tell_task(struct base_stream *stream, struct base_task *task) {
    struct ArrowAsyncTask object = {base_async.extract, task};
    return stream->handler->on_next_task(stream->handler, task == NULL ? NULL : &object,
                                         "\377\377\377\377 part 1");
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
