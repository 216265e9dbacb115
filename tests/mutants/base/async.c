/* SPDX-License-Identifier: Apache-2.0 */
#include "async.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

#define WAITS 4

static const struct adi_host *host_of;

void base_point(struct base_stream *stream) {
    struct base_schedule *schedule = stream->schedule;
    if (schedule != NULL) schedule->point(schedule, 0, "");
}

void base_lock(struct base_stream *stream) {
    base_point(stream);
    pthread_mutex_lock(&stream->lock);
}

/* Somebody else may give the stream back at once. */
void base_unlock(struct base_stream *stream) {
    struct base_schedule *schedule = stream->schedule;
    pthread_mutex_unlock(&stream->lock);
    if (schedule != NULL) schedule->point(schedule, 1, "");
}

void base_await_change(struct base_stream *stream) {
    if (stream->schedule == NULL) {
        pthread_cond_wait(&stream->changed, &stream->lock);
        return;
    }
    pthread_mutex_unlock(&stream->lock);
    stream->schedule->point(stream->schedule, WAITS, "");
    pthread_mutex_lock(&stream->lock);
}

static int open_base(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    host_of = host;
    return 0;
}

/* ---- what the consumer calls ---- */

void base_request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    if (!stream->is_cancelled && n <= 0)
        stream->error = EINVAL;
    else if (!stream->is_cancelled)
        stream->requested += n < INT64_MAX / 2 ? n : INT64_MAX / 2;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
}

void base_cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    stream->is_cancelled = true;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
}

static void let(struct base_stream *stream) {
    base_lock(stream);
    bool is_last = --stream->users == 0;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
    if (!is_last) return;
    if (stream->schema.release != NULL) stream->schema.release(&stream->schema);
    pthread_cond_destroy(&stream->changed);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}

int base_extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    if (out != NULL)
        *out = task->array;
    else
        task->array.array.release(&task->array.array);
    let(task->stream);
    free(task);
    return 0;
}

/* ---- what the handler is told ---- */

int base_tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    return stream->handler->on_schema(stream->handler, schema);
}

int base_tell_task(struct base_stream *stream, struct base_task *task) {
    struct ArrowAsyncTask object = {base_async.extract, task};
    int code = stream->handler->on_next_task(stream->handler, task == NULL ? NULL : &object, NULL);
    memset(&object, 0x5A, sizeof object);
    return code;
}

void base_tell_error(struct base_stream *stream, int code) {
    stream->handler->on_error(stream->handler, code, strerror(code), NULL);
}

void base_release_handler(struct base_stream *stream) {
    stream->handler->release(stream->handler);
}

bool base_may_deliver(struct base_stream *stream) {
    return stream->requested > stream->delivered;
}

/* ---- going on ---- */

int base_pull(struct base_stream *stream) {
    struct ArrowArray host;
    int code = stream->source.get_next(&stream->source, &host);
    if (code != 0) return code;
    stream->has_ended = host.release == NULL;
    if (stream->has_ended) return 0;
    code = base_array_copy(&stream->schema, &host, &stream->chunk);
    host.release(&host);
    return code;
}

static int begin(struct base_stream *stream) {
    struct ArrowSchema copy;
    stream->has_schema = true;
    int code = stream->source.get_schema(&stream->source, &stream->schema);
    if (code == 0) code = base_schema_copy(&stream->schema, &copy);
    if (code != 0) return code;
    int refusal = base_async.tell_schema(stream, &copy);
    if (copy.release != NULL) copy.release(&copy);
    if (refusal != 0) base_async.refused(stream, refusal);
    return refusal == 0 ? 0 : -1;
}

struct base_task *base_make_task(struct base_stream *stream) {
    struct base_task *task = calloc(1, sizeof *task);
    if (task == NULL) return NULL;
    task->stream = stream;
    task->array.array = stream->chunk;
    task->array.device_id = -1;
    task->array.device_type = ARROW_DEVICE_CPU;
    stream->chunk.release = NULL;
    base_lock(stream);
    task->number = ++stream->delivered;
    stream->users++;
    base_unlock(stream);
    return task;
}

/* What was requested is delivered after a cancel as well. */
static int deliver(struct base_stream *stream, bool blocks) {
    base_lock(stream);
    while (blocks && stream->error == 0 && !stream->is_cancelled && !base_async.may_deliver(stream))
        base_await_change(stream);
    bool may = base_async.may_deliver(stream), is_over = stream->is_cancelled && !may;
    int error = stream->error;
    base_unlock(stream);
    if (error != 0) return error;
    if (!may) return is_over ? -1 : EAGAIN;
    struct base_task *task = base_make_task(stream);
    if (task == NULL) return ENOMEM;
    int refusal = base_async.tell_task(stream, task);
    if (refusal != 0) base_async.refused(stream, refusal);
    return refusal == 0 ? 0 : -1;
}

static void refused(struct base_stream *stream, int code) {
    (void)stream, (void)code;
}

static void finish(struct base_stream *stream, int code) {
    if (code > 0) base_async.tell_error(stream, code);
    if (code == 0) base_async.tell_task(stream, NULL);
    if (stream->chunk.release != NULL) stream->chunk.release(&stream->chunk);
    stream->source.release(&stream->source);
    base_async.release(stream);
    let(stream);
}

bool base_go_on(struct base_stream *stream, bool blocks) {
    int code = stream->has_schema ? 0 : begin(stream);
    while (code == 0 && !stream->has_ended) {
        if (stream->chunk.release == NULL) code = base_async.pull(stream);
        if (code == 0 && !stream->has_ended) code = deliver(stream, blocks);
    }
    if (code == 0) {
        base_lock(stream);
        code = stream->error != 0 ? stream->error : stream->is_cancelled ? -1 : 0;
        base_unlock(stream);
    }
    if (code == EAGAIN && !blocks) return false;
    finish(stream, code);
    return true;
}

static void *run(void *stream) {
    base_point(stream);
    base_go_on(stream, true);
    return NULL;
}

/* ---- one thread for all ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct base_stream *streams[16];
    unsigned first, last;
    bool is_there;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {NULL}, 0, 0, false};

#define POOL (sizeof pool.streams / sizeof *pool.streams)

static void *serve(void *nothing) {
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.first == pool.last) pthread_cond_wait(&pool.changed, &pool.lock);
        struct base_stream *stream = pool.streams[pool.first++ % POOL];
        pthread_mutex_unlock(&pool.lock);
        run(stream);
        pthread_mutex_lock(&pool.lock);
    }
    return nothing;
}

static void hand_to_pool(struct base_stream *stream) {
    pthread_t thread;
    pthread_mutex_lock(&pool.lock);
    pool.streams[pool.last++ % POOL] = stream;
    if (!pool.is_there && pthread_create(&thread, NULL, serve, NULL) == 0) {
        pthread_detach(thread);
        pool.is_there = true;
    }
    pthread_cond_signal(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

int base_produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                       struct ArrowArrayStream *host,
                       struct ArrowAsyncDeviceStreamHandler *handler) {
    (void)self, (void)device_id;
    pthread_t thread;
    struct base_stream *stream = calloc(1, sizeof *stream);
    if (type != ARROW_DEVICE_CPU || stream == NULL) {
        free(stream);
        return type != ARROW_DEVICE_CPU ? ENOTSUP : ENOMEM;
    }
    stream->any.producer.device_type = type;
    stream->any.producer.request = base_async.request;
    stream->any.producer.cancel = base_async.cancel;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->changed, NULL);
    stream->users = 1;
    if (host_of != NULL && !base_async.on_its_own)
        stream->schedule = (void *)(uintptr_t)host_of->get(host_of, type, -1, "async.schedule");
    stream->source = *host;
    host->release = NULL;
    stream->handler = handler;
    handler->producer = &stream->any.producer;
    if (base_async.opened != NULL) base_async.opened(stream);
    if (base_async.within && base_go_on(stream, false)) return 0;
    if (base_async.pooled)
        hand_to_pool(stream);
    else if (pthread_create(&thread, NULL, run, stream) == 0)
        pthread_detach(thread);
    return 0;
}

struct base_async base_async = {
    .request = base_request,
    .cancel = base_cancel,
    .extract = base_extract,
    .pull = base_pull,
    .tell_schema = base_tell_schema,
    .tell_task = base_tell_task,
    .tell_error = base_tell_error,
    .release = base_release_handler,
    .may_deliver = base_may_deliver,
    .refused = refused,
};

void base_plays_async(void) {
    base.roles |= ADI_PRODUCES_ASYNC;
    base.adapter.produce_async = base_produce_async;
    if (base.adapter.open == NULL) base.adapter.open = open_base;
    base.adapter.async_layout =
        (uint32_t)(base_async.published
                       ? offsetof(struct base_stream, any.published.additional_metadata)
                       : offsetof(struct ArrowAsyncProducer, additional_metadata));
}
