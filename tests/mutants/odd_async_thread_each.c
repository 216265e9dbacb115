/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each callback comes on a thread of its own.
 */
#include "base/async.h"

struct call {
    struct base_stream *stream;
    struct base_task *task;
    int code;
};

static void on_thread(void *(*what)(void *), struct call *call) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, what, call) == 0)
        pthread_join(thread, NULL);
    else
        what(call);
}

static void *tell_here(void *call_at) {
    struct call *call = call_at;
    call->code = base_tell_task(call->stream, call->task);
    return NULL;
}

static void *release_here(void *call_at) {
    base_release_handler(((struct call *)call_at)->stream);
    return NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    struct call call = {stream, task, 0};
    on_thread(tell_here, &call);
    return call.code;
}

static void release(struct base_stream *stream) {
    struct call call = {stream, NULL, 0};
    on_thread(release_here, &call);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_async.release = release;
    base_plays_async();
}
