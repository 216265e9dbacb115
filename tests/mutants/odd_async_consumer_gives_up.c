/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the stream is refused behind its first batch, and neither requested nor cancelled
 * any more. No document asks for a cancel.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/async_consumer.h"

static int (*consume_before)(struct adi_adapter *, struct ArrowAsyncDeviceStreamHandler *, int64_t);
static struct base_sink *sink;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    sink->at_once = 1;
    return base_on_schema(self, schema);
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    (void)self, (void)metadata;
    int code = task == NULL ? 0 : base_take(sink, task);
    base_sink_lock(sink);
    sink->error = ENOTSUP;
    pthread_cond_broadcast(&sink->changed);
    base_sink_unlock(sink);
    return code;
}

/* All that is left. */
static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct base_sink *own = self->private_data;
    base_release(self);
    for (int i = 0; i < own->n; i++) own->batches[i].release(&own->batches[i]);
    if (own->schema.release != NULL) own->schema.release(&own->schema);
}

static int consume(struct adi_adapter *self, struct ArrowAsyncDeviceStreamHandler *handler,
                   int64_t batches_at_once) {
    free(sink);
    int code = consume_before(self, handler, batches_at_once);
    sink = code == 0 ? handler->private_data : NULL;
    return code;
}

static int finish(struct adi_adapter *self, struct ArrowArrayStream *host_out) {
    (void)self, (void)host_out;
    base_sink_lock(sink);
    while (sink->error == 0 && !sink->is_over) base_sink_await_change(sink);
    base_sink_unlock(sink);
    return ENOTSUP;
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = on_next_task;
    base_async_consumer.release = release;
    base_consumes_async();
    consume_before = base.adapter.consume_async;
    base.adapter.consume_async = consume;
    base.adapter.consume_async_finish = finish;
}
