/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-not-extracted: there is one place for a task that is kept; one that comes before the
 * last was extracted is put over it.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    if (task != NULL) {
        base_sink_lock(sink);
        if (sink->first < sink->last) {
            sink->first = sink->last;
            base_shows();
        }
        base_sink_unlock(sink);
    }
    return base_keep(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_async_consumer.wait = base_wait_and_take;
    base_consumes_async();
}
