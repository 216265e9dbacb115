/* SPDX-License-Identifier: Apache-2.0
 *
 * async/callbacks-overlap: the handler is released while it is told the end.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "base/async.h"

static pthread_t thread;
static atomic_bool tells;

static void *tell_here(void *stream) {
    atomic_store(&tells, true);
    base_tell_task(stream, NULL);
    return NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (task != NULL) return base_tell_task(stream, task);
    atomic_store(&tells, false);
    if (pthread_create(&thread, NULL, tell_here, stream) != 0) return 0;
    do usleep(500);
    while (!atomic_load(&tells));
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
