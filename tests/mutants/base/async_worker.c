/* SPDX-License-Identifier: Apache-2.0 */
#include "async_worker.h"

#include <unistd.h>

static struct {
    pthread_t thread;
    bool has_thread;
    unsigned before_extract_us, before_request_us;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct ArrowAsyncTask kept[BASE_BATCHES];
    int first, last, error;
    bool is_over;
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Within the lock. */
static void take(struct base_sink *sink, struct ArrowAsyncTask task) {
    pthread_mutex_unlock(&worker.lock);
    usleep(worker.before_extract_us);
    base_take(sink, &task);
    pthread_mutex_lock(&worker.lock);
    if (worker.is_over) return;
    usleep(worker.before_request_us);
    sink->producer->request(sink->producer, 1);
}

static void *work(void *sink) {
    pthread_mutex_lock(&worker.lock);
    while (!worker.is_over || worker.first < worker.last) {
        if (worker.first < worker.last)
            take(sink, worker.kept[worker.first++]);
        else
            pthread_cond_wait(&worker.changed, &worker.lock);
    }
    pthread_mutex_unlock(&worker.lock);
    return NULL;
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    int code = base_on_schema(self, schema);
    worker.first = worker.last = worker.error = 0;
    worker.is_over = false;
    worker.has_thread = pthread_create(&worker.thread, NULL, work, self->private_data) == 0;
    return code;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    (void)self, (void)metadata;
    if (task == NULL) return 0;
    pthread_mutex_lock(&worker.lock);
    worker.kept[worker.last++] = *task;
    pthread_cond_broadcast(&worker.changed);
    pthread_mutex_unlock(&worker.lock);
    return 0;
}

static void stop(int code) {
    pthread_mutex_lock(&worker.lock);
    worker.is_over = true;
    if (code != 0) worker.error = code;
    pthread_cond_broadcast(&worker.changed);
    pthread_mutex_unlock(&worker.lock);
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    (void)self, (void)message, (void)metadata;
    stop(code);
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct base_sink *sink = self->private_data;
    stop(0);
    if (worker.has_thread) pthread_join(worker.thread, NULL);
    worker.has_thread = false;
    sink->error = worker.error;
    worker.error = 0;
    base_release(self);
}

void base_works_async(unsigned before_extract_us, unsigned before_request_us) {
    worker.before_extract_us = before_extract_us;
    worker.before_request_us = before_request_us;
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = on_next_task;
    base_async_consumer.on_error = on_error;
    base_async_consumer.release = release;
    base_consumes_async();
}
