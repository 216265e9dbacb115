/* SPDX-License-Identifier: Apache-2.0
 *
 * async/callbacks-overlap: the handler is released while it is told the end.
 */
#include <unistd.h>

#include "base/async.h"

static pthread_t thread;

static void *tell_here(void *stream) {
    base_tell_task(stream, NULL);
    return NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (task != NULL) return base_tell_task(stream, task);
    if (pthread_create(&thread, NULL, tell_here, stream) == 0) usleep(500);
    return 0;
}

static void release(struct base_stream *stream) {
    base_release_handler(stream);
    pthread_join(thread, NULL);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_async.release = release;
    base_plays_async();
}
