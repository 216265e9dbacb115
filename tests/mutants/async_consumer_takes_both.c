/* SPDX-License-Identifier: Apache-2.0
 *
 * async/extracted-twice: two threads look for a task that was kept, and both take the same one.
 */
#include "base/async_consumer.h"

static int taken[BASE_BATCHES], failed; /* from so many on there is none */

/* Each batch has its own place, whoever puts it there. */
static void put(struct base_sink *sink, struct ArrowAsyncTask *task, int at) {
    struct ArrowDeviceArray array;
    int code = task->extract_data(task, &array);
    if (code == 0) {
        code = base_array_copy(&sink->schema, &array.array, &sink->batches[at]);
        array.array.release(&array.array);
    }
    if (code == 0) return;
    sink->error = code;
    if (at < failed) failed = at;
}

static bool take(struct base_sink *sink) {
    int at = sink->first;
    if (at == sink->last) return false;
    struct ArrowAsyncTask task = sink->kept[at];
    base_sink_point(sink);
    if (taken[at]++ > 0) base_shows();
    sink->first = at + 1;
    put(sink, &task, at);
    return true;
}

static void wait_and_take(struct base_sink *sink) {
    base_wait_and_do(sink, take);
    sink->n = failed < sink->last ? failed : sink->last;
    for (int i = sink->n; i < sink->last; i++)
        if (sink->batches[i].release != NULL) sink->batches[i].release(&sink->batches[i]);
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    for (int i = 0; i < BASE_BATCHES; i++) taken[i] = 0;
    failed = BASE_BATCHES;
    return base_on_schema(self, schema);
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    while (take(self->private_data)) continue;
    base_release(self);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = base_keep;
    base_async_consumer.release = release;
    base_async_consumer.wait = wait_and_take;
    base_consumes_async();
}
