/* SPDX-License-Identifier: Apache-2.0
 *
 * async/tasks-at-once: two threads hand out batches at once.
 */
#include "base/async.h"

struct call {
    struct base_stream *stream;
    struct base_task *task;
};

static void *tell_here(void *call_at) {
    struct call *call = call_at;
    base_tell_task(call->stream, call->task);
    return NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    pthread_t thread;
    struct call call = {stream, task};
    if (task == NULL || base_async.pull(stream) != 0 || stream->has_ended)
        return base_tell_task(stream, task);
    if (pthread_create(&thread, NULL, tell_here, &call) != 0) return 0;
    int code = base_tell_task(stream, base_make_task(stream));
    pthread_join(thread, NULL);
    return code;
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
