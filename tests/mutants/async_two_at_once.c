/* SPDX-License-Identifier: Apache-2.0
 *
 * async/tasks-at-once: two threads hand out batches at once, where two were requested. What is
 * extracted within its call waits there for the other call, so that this does not hang on who is
 * faster.
 */
#include <time.h>

#include "base/async.h"

#define SECONDS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls, within; /* on_next_task, of a pair; and how many extract there */

struct call {
    struct base_stream *stream;
    struct base_task *task;
};

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    pthread_mutex_lock(&lock);
    within++;
    pthread_cond_broadcast(&changed);
    while (calls == 2 && within < 2 && pthread_cond_timedwait(&changed, &lock, &until) == 0)
        continue;
    pthread_mutex_unlock(&lock);
    return base_extract(self, out);
}

static int tell(struct base_stream *stream, struct base_task *task) {
    int code = base_tell_task(stream, task);
    pthread_mutex_lock(&lock);
    calls--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return code;
}

static void *tell_here(void *call_at) {
    struct call *call = call_at;
    tell(call->stream, call->task);
    return NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    pthread_t thread;
    struct call call = {stream, task};
    base_lock(stream);
    const bool is_last = stream->requested <= stream->delivered;
    base_unlock(stream);
    if (task == NULL || is_last || base_async.pull(stream) != 0 || stream->has_ended)
        return base_tell_task(stream, task);
    calls = 2;
    within = 0;
    if (pthread_create(&thread, NULL, tell_here, &call) != 0) return 0;
    int code = tell(stream, base_make_task(stream));
    pthread_join(thread, NULL);
    return code;
}

void mutate(void) {
    base_async.extract = extract;
    base_async.tell_task = tell_task;
    base_plays_async();
}
