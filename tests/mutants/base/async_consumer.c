/* SPDX-License-Identifier: Apache-2.0 */
#include "async_consumer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WAITS 4

/* ---- points ---- */

static const struct adi_host *host_of;

void base_sink_point(struct base_sink *sink) {
    if (sink->schedule != NULL) sink->schedule->point(sink->schedule, 0, "");
}

void base_sink_lock(struct base_sink *sink) {
    base_sink_point(sink);
    pthread_mutex_lock(&sink->lock);
}

/* Somebody else may give the sink back at once. */
void base_sink_unlock(struct base_sink *sink) {
    struct base_sink_schedule *schedule = sink->schedule;
    pthread_mutex_unlock(&sink->lock);
    if (schedule != NULL) schedule->point(schedule, 1, "");
}

void base_sink_await_change(struct base_sink *sink) {
    if (sink->schedule == NULL) {
        pthread_cond_wait(&sink->changed, &sink->lock);
        return;
    }
    pthread_mutex_unlock(&sink->lock);
    sink->schedule->point(sink->schedule, WAITS, "");
    pthread_mutex_lock(&sink->lock);
}

static int open_base(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    host_of = host;
    return 0;
}

/* ---- the handler ---- */

int base_on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct base_sink *sink = self->private_data;
    sink->producer = self->producer;
    sink->schema = *schema;
    schema->release = NULL;
    sink->producer->request(sink->producer, sink->at_once);
    return 0;
}

int base_take(struct base_sink *sink, struct ArrowAsyncTask *task) {
    struct ArrowDeviceArray array;
    int code = task->extract_data(task, &array);
    if (code != 0) sink->error = code;
    if (code != 0) return code;
    code = sink->n == BASE_BATCHES ? ENOMEM : 0;
    if (code == 0) code = base_array_copy(&sink->schema, &array.array, &sink->batches[sink->n]);
    if (code == 0) sink->n++;
    array.array.release(&array.array);
    return code;
}

int base_on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                      const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)metadata;
    if (task == NULL) return 0;
    int code = base_take(sink, task);
    if (code == 0) sink->producer->request(sink->producer, 1);
    return code;
}

void base_on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                   const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)message, (void)metadata;
    sink->error = code != 0 ? code : EIO;
}

void base_release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct base_sink *sink = self->private_data;
    self->release = NULL;
    base_sink_lock(sink);
    sink->is_over = true;
    pthread_cond_broadcast(&sink->changed);
    base_sink_unlock(sink);
}

/* ---- later ---- */

int base_keep_quietly(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                      const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)metadata;
    if (task == NULL) return 0;
    base_sink_lock(sink);
    sink->kept[sink->last++] = *task;
    pthread_cond_broadcast(&sink->changed);
    base_sink_unlock(sink);
    return 0;
}

int base_keep(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
              const char *metadata) {
    struct base_sink *sink = self->private_data;
    base_keep_quietly(self, task, metadata);
    if (task != NULL) sink->producer->request(sink->producer, 1);
    return 0;
}

bool base_take_kept(struct base_sink *sink) {
    struct ArrowAsyncTask task = {NULL, NULL};
    base_sink_lock(sink);
    if (sink->first < sink->last) task = sink->kept[sink->first++];
    base_sink_unlock(sink);
    if (task.extract_data != NULL) base_take(sink, &task);
    return task.extract_data != NULL;
}

void base_wait(struct base_sink *sink) {
    base_sink_lock(sink);
    while (!sink->is_over) base_sink_await_change(sink);
    base_sink_unlock(sink);
}

void base_wait_and_do(struct base_sink *sink, bool (*take)(struct base_sink *)) {
    bool goes = true;
    while (goes) {
        while (take(sink)) continue;
        base_sink_lock(sink);
        while (sink->first == sink->last && !sink->is_over) base_sink_await_change(sink);
        goes = sink->first < sink->last || !sink->is_over;
        base_sink_unlock(sink);
    }
}

void base_wait_and_take(struct base_sink *sink) {
    base_wait_and_do(sink, base_take_kept);
}

/* ---- what came, as a stream ---- */

struct host {
    struct base_sink *sink;
    int next;
};

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct host *host = self->private_data;
    if (host->sink->schema.release == NULL)
        return host->sink->error != 0 ? host->sink->error : EINVAL;
    return base_schema_copy(&host->sink->schema, out);
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct host *host = self->private_data;
    struct base_sink *sink = host->sink;
    memset(out, 0, sizeof *out);
    if (host->next == sink->n) return sink->error;
    *out = sink->batches[host->next];
    sink->batches[host->next++].release = NULL;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *self) {
    (void)self;
    return NULL;
}

static void release_host(struct ArrowArrayStream *self) {
    struct host *host = self->private_data;
    struct base_sink *sink = host->sink;
    for (int i = 0; i < sink->n; i++)
        if (sink->batches[i].release != NULL) sink->batches[i].release(&sink->batches[i]);
    if (sink->schema.release != NULL) sink->schema.release(&sink->schema);
    pthread_cond_destroy(&sink->changed);
    pthread_mutex_destroy(&sink->lock);
    free(sink);
    free(host);
    self->release = NULL;
}

/* ---- the slots ---- */

static struct base_sink *current;

static int consume_async(struct adi_adapter *self, struct ArrowAsyncDeviceStreamHandler *handler,
                         int64_t batches_at_once) {
    (void)self;
    current = calloc(1, sizeof *current);
    if (current == NULL) return ENOMEM;
    current->at_once = batches_at_once;
    if (host_of != NULL && !base_async_consumer.on_its_own)
        current->schedule =
            (void *)(uintptr_t)host_of->get(host_of, ARROW_DEVICE_CPU, -1, "async.schedule");
    pthread_mutex_init(&current->lock, NULL);
    pthread_cond_init(&current->changed, NULL);
    *handler = (struct ArrowAsyncDeviceStreamHandler){base_async_consumer.on_schema,
                                                      base_async_consumer.on_next_task,
                                                      base_async_consumer.on_error,
                                                      base_async_consumer.release,
                                                      NULL,
                                                      current};
    return 0;
}

static int consume_async_finish(struct adi_adapter *self, struct ArrowArrayStream *host_out) {
    (void)self;
    struct host *host = calloc(1, sizeof *host);
    base_async_consumer.wait(current);
    if (base_async_consumer.over != NULL) base_async_consumer.over(current);
    if (host == NULL) return ENOMEM;
    host->sink = current;
    *host_out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_host, host};
    return 0;
}

struct base_async_consumer base_async_consumer = {
    .on_schema = base_on_schema,
    .on_next_task = base_on_next_task,
    .on_error = base_on_error,
    .release = base_release,
    .wait = base_wait,
};

void base_consumes_async(void) {
    base.roles |= ADI_CONSUMES_ASYNC;
    if (base.adapter.open == NULL) base.adapter.open = open_base;
    base.adapter.consume_async = consume_async;
    base.adapter.consume_async_finish = consume_async_finish;
    base.adapter.async_layout = (uint32_t)offsetof(struct ArrowAsyncProducer, additional_metadata);
}

/* ---- with metadata ---- */

static size_t metadata_at;
static volatile int32_t bytes;

#define MOST_PAIRS 100
#define MOST_BYTES 65536

/* What cannot be metadata is not gone through. */
static int on_schema_with_metadata(struct ArrowAsyncDeviceStreamHandler *self,
                                   struct ArrowSchema *schema) {
    const char *at;
    int32_t pairs = 0, size;
    memcpy(&at, (const char *)self->producer + metadata_at, sizeof at);
    if (at != NULL) memcpy(&pairs, at, sizeof pairs);
    if (at != NULL) at += sizeof pairs;
    for (int32_t i = 0; pairs < MOST_PAIRS && i < 2 * pairs; i++) {
        memcpy(&size, at, sizeof size);
        if (size < 0 || size > MOST_BYTES) break;
        at += sizeof size + (size_t)size;
        bytes += size;
    }
    return base_on_schema(self, schema);
}

void base_reads_metadata(size_t reads, uint32_t says) {
    metadata_at = reads;
    base_async_consumer.on_schema = on_schema_with_metadata;
    base_consumes_async();
    base.adapter.async_layout = says;
}
