/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-depends-on-address: what a task has to do is found behind the structure that
 * on_next_task was called with.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/async.h"

struct placed {
    struct ArrowAsyncTask task; /* first */
    const void *place;          /* where it lies */
};

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    const struct placed *placed = (const struct placed *)(void *)self;
    if (placed->place != (const void *)self) abort();
    return base_extract(self, out);
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    struct placed placed = {{extract, task}, &placed};
    if (task == NULL) return base_tell_task(stream, NULL);
    return stream->handler->on_next_task(stream->handler, &placed.task, NULL);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
