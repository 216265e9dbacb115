/* SPDX-License-Identifier: Apache-2.0 */
#include "async_observer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const char *inside; /* the callback of the handler that this thread is in */
static _Thread_local bool in_producer;   /* within request or cancel */

/* Within the lock. */
static void wrong(struct observer *observer, const char *what, const char *when) {
    if (observer->error[0] == '\0')
        snprintf(observer->error, sizeof observer->error, "%s %s", what, when);
}

/* Within the lock. */
static void see(struct observer *observer, int event, int64_t of) {
    if (observer->saw != NULL) observer->saw(observer->state, event, of);
}

static void begin(struct observer *observer, const char *callback, enum observed event,
                  int64_t of) {
    pthread_mutex_lock(&observer->lock);
    see(observer, (int)event, of);
    if (observer->releases > 0) wrong(observer, callback, "after release");
    if (observer->within++ > 0) wrong(observer, callback, "within another callback");
    if (in_producer) wrong(observer, callback, "within request or cancel");
    bool is_release = strcmp(callback, "release") == 0;
    if (observer->errors > 0 && !is_release) wrong(observer, callback, "after on_error");
    if (observer->has_refused && !is_release) wrong(observer, callback, "after a refusal");
    if (observer->handler.producer == NULL) wrong(observer, callback, "without a producer");
    inside = callback;
    observer->last_here = pthread_self();
}

/* Between `begin` and this, the lock is held; it is not while the consumer is called. */
static void passes_on(struct observer *observer) {
    pthread_mutex_unlock(&observer->lock);
}

static void end(struct observer *observer, int code, enum observed event, int64_t of) {
    pthread_mutex_lock(&observer->lock);
    see(observer, (int)event + OBSERVED_ENDS + (code != 0 ? OBSERVED_FAILED : 0), of);
    observer->within--;
    if (code != 0) observer->has_refused = true;
    inside = NULL;
    pthread_mutex_unlock(&observer->lock);
}

/* ---- what the consumer calls ---- */

static struct observer *of_producer(struct ArrowAsyncProducer *self) {
    return (struct observer *)(void *)((char *)self - offsetof(struct observer, any));
}

static void call(struct observer *observer, const char *what, enum observed event, int64_t of) {
    pthread_mutex_lock(&observer->lock);
    see(observer, (int)event, of);
    observer->calls++; /* of the producer */
    if (observer->schemas == 0) wrong(observer, what, "before on_schema");
    /* Nothing tells another thread that release is about to begin: what overlaps with it may. */
    if (observer->is_released) wrong(observer, what, "after release");
    if (inside != NULL && (strcmp(inside, "on_error") == 0 || strcmp(inside, "release") == 0))
        wrong(observer, what, "within on_error or release");
}

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct observer *observer = of_producer(self);
    call(observer, "request", OBSERVED_REQUEST, n);
    if (n <= 0 && !observer->is_cancelled) observer->has_bad_request = true;
    if (n > 0 && !observer->has_cancelled) /* it may overtake a cancel that has begun */
        observer->requested += n < INT64_MAX / 4 ? n : INT64_MAX / 4;
    pthread_mutex_unlock(&observer->lock);
    in_producer = true;
    observer->producer->request(observer->producer, n);
    in_producer = false;
    pthread_mutex_lock(&observer->lock);
    see(observer, OBSERVED_REQUEST + OBSERVED_ENDS, 0);
    pthread_mutex_unlock(&observer->lock);
}

static void cancel(struct ArrowAsyncProducer *self) {
    struct observer *observer = of_producer(self);
    call(observer, "cancel", OBSERVED_CANCEL, 0);
    observer->is_cancelled = true;
    pthread_mutex_unlock(&observer->lock);
    in_producer = true;
    observer->producer->cancel(observer->producer);
    in_producer = false;
    pthread_mutex_lock(&observer->lock);
    observer->has_cancelled = true;
    see(observer, OBSERVED_CANCEL + OBSERVED_ENDS, 0);
    pthread_mutex_unlock(&observer->lock);
}

struct watched {
    struct observer *observer;
    int number; /* from 0 */
    struct ArrowAsyncTask task;
};

static int extract_data(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct watched *watched = self->private_data;
    struct observer *observer = watched->observer;
    int number = watched->number;
    pthread_mutex_lock(&observer->lock);
    see(observer, OBSERVED_EXTRACT, number);
    pthread_mutex_unlock(&observer->lock);
    int code = watched->task.extract_data(&watched->task, out);
    free(watched);
    pthread_mutex_lock(&observer->lock);
    observer->extracted++;
    observer->given_up += out == NULL;
    see(observer, OBSERVED_EXTRACT + OBSERVED_ENDS + (code != 0 ? OBSERVED_FAILED : 0), number);
    pthread_mutex_unlock(&observer->lock);
    return code;
}

/* ---- what the producer calls ---- */

static struct observer *of(struct ArrowAsyncDeviceStreamHandler *self) {
    return self->private_data;
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct observer *observer = of(self);
    begin(observer, "on_schema", OBSERVED_ON_SCHEMA, 0);
    if (observer->schemas++ > 0) wrong(observer, "on_schema", "twice");
    observer->producer = self->producer;
    const struct adi_shipped_producer members = {
        self->producer->device_type, request, cancel,
        adi_async_metadata(self->producer, observer->layout), &observer->any};
    adi_async_fill(observer->layout, &members, &observer->any);
    observer->inner.producer = &observer->any.producer;
    passes_on(observer);
    int code = observer->inner.on_schema(&observer->inner, schema);
    end(observer, code, OBSERVED_ON_SCHEMA, 0);
    return code;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct observer *observer = of(self);
    enum observed event = task == NULL ? OBSERVED_ON_END : OBSERVED_ON_NEXT_TASK;
    int number = task == NULL ? 0 : observer->tasks; /* of this thread, while nothing is wrong */
    begin(observer, "on_next_task", event, number);
    if (observer->schemas == 0) wrong(observer, "on_next_task", "before on_schema");
    if (observer->ends > 0) wrong(observer, "on_next_task", "after the end");
    if (task != NULL && ++observer->tasks > observer->requested)
        wrong(observer, "on_next_task", "that was not requested");
    observer->ends += task == NULL;
    passes_on(observer);
    struct watched *watched = task == NULL ? NULL : malloc(sizeof *watched);
    struct ArrowAsyncTask copy = {extract_data, watched};
    if (watched != NULL) *watched = (struct watched){observer, number, *task};
    int code =
        observer->inner.on_next_task(&observer->inner, task == NULL ? NULL : &copy, metadata);
    memset(&copy, 0xa5, sizeof copy);
    end(observer, code, event, number);
    return code;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    struct observer *observer = of(self);
    begin(observer, "on_error", OBSERVED_ON_ERROR, 0);
    observer->errors++;
    if (code == 0) wrong(observer, "on_error", "with 0");
    passes_on(observer);
    char *text = message == NULL ? NULL : strdup(message);
    observer->inner.on_error(&observer->inner, code, text, metadata);
    free(text);
    end(observer, 0, OBSERVED_ON_ERROR, 0);
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct observer *observer = of(self);
    begin(observer, "release", OBSERVED_RELEASE, 0);
    observer->releases++;
    passes_on(observer);
    observer->inner.release(&observer->inner);
    pthread_mutex_lock(&observer->lock);
    memset(&observer->any, 0xa5, sizeof observer->any);
    observer->handler.release = NULL;
    observer->is_released = true;
    pthread_mutex_unlock(&observer->lock);
    end(observer, 0, OBSERVED_RELEASE, 0);
}

void observer_open(struct observer *out, enum adi_async_layout layout) {
    *out = (struct observer){
        .handler = {on_schema, on_next_task, on_error, release, NULL, out},
        .layout = layout,
    };
    pthread_mutex_init(&out->lock, NULL);
}

const char *observer_error(struct observer *observer, bool is_over) {
    pthread_mutex_lock(&observer->lock);
    if (is_over) {
        bool has_ended = observer->ends > 0 || observer->errors > 0 || observer->has_refused ||
                         observer->is_cancelled;
        if (observer->releases != 1) wrong(observer, "release", "is missing");
        if (!has_ended) wrong(observer, "release", "without an end");
        /* Behind the end it may have come when the release was decided. */
        if (observer->has_bad_request && observer->errors == 0 && !observer->has_refused &&
            observer->ends == 0)
            wrong(observer, "on_error", "is missing for a request");
        if (observer->extracted != observer->tasks) wrong(observer, "a task", "is not extracted");
    }
    pthread_mutex_unlock(&observer->lock);
    return observer->error;
}
