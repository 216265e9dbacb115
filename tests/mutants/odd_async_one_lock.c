/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A recursive lock is held while a task is told, and taken by what its
 * consumer calls: on the thread that it is told on that goes on, any other thread waits.
 */
#include "base/async.h"

static pthread_mutex_t lock;

static int tell_task(struct base_stream *stream, struct base_task *task) {
    pthread_mutex_lock(&lock);
    int code = base_tell_task(stream, task);
    pthread_mutex_unlock(&lock);
    return code;
}

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    pthread_mutex_lock(&lock);
    base_request(self, n);
    pthread_mutex_unlock(&lock);
}

static void cancel(struct ArrowAsyncProducer *self) {
    pthread_mutex_lock(&lock);
    base_cancel(self);
    pthread_mutex_unlock(&lock);
}

void mutate(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    base_async.tell_task = tell_task;
    base_async.request = request;
    base_async.cancel = cancel;
    base_async.on_its_own = true;
    base_plays_async();
}
