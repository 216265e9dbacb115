/* SPDX-License-Identifier: Apache-2.0
 *
 * async/callbacks-overlap: when a task is extracted within on_next_task, another thread
 * releases the handler before that has returned.
 */
#include <time.h>

#include "base/async.h"

static pthread_t thread;
static bool has_thread;
static const struct base_stream *telling; /* whose thread is within on_next_task */

static void *release_here(void *stream) {
    base_release_handler(stream);
    return NULL;
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    const struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    const bool is_within = telling == stream && !has_thread;
    int code = base_extract(self, out);
    if (!is_within || pthread_create(&thread, NULL, release_here, stream) != 0) return code;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++; /* it may wait for what this thread is in */
    has_thread = pthread_timedjoin_np(thread, NULL, &limit) != 0;
    stream->handler = NULL;
    return code;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (stream->handler == NULL) return 0;
    telling = stream;
    int code = base_tell_task(stream, task);
    telling = NULL;
    return stream->handler == NULL ? -1 : code;
}

static void release(struct base_stream *stream) {
    if (stream->handler != NULL) base_release_handler(stream);
    if (has_thread) pthread_join(thread, NULL);
    has_thread = false;
}

void mutate(void) {
    base_async.extract = extract;
    base_async.tell_task = tell_task;
    base_async.release = release;
    base_plays_async();
}
