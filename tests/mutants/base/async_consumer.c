/* SPDX-License-Identifier: Apache-2.0 */
#include "async_consumer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    if (sink->n < BASE_BATCHES)
        code = base_array_copy(&sink->schema, &array.array, &sink->batches[sink->n]);
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
    pthread_mutex_lock(&sink->lock);
    sink->is_over = true;
    pthread_cond_broadcast(&sink->changed);
    pthread_mutex_unlock(&sink->lock);
}

/* ---- what came, as a stream ---- */

struct host {
    struct base_sink *sink;
    int next;
};

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct host *host = self->private_data;
    if (host->sink->schema.release == NULL) return host->sink->error;
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
    pthread_mutex_lock(&current->lock);
    while (!current->is_over) pthread_cond_wait(&current->changed, &current->lock);
    pthread_mutex_unlock(&current->lock);
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
};

void base_consumes_async(void) {
    base.roles |= ADI_CONSUMES_ASYNC;
    base.adapter.consume_async = consume_async;
    base.adapter.consume_async_finish = consume_async_finish;
    base.adapter.async_layout = (uint32_t)offsetof(struct ArrowAsyncProducer, additional_metadata);
}
