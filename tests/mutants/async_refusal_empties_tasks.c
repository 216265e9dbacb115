/* SPDX-License-Identifier: Apache-2.0
 *
 * async/extracted-nothing: when a task is refused, those before it that were not extracted yet are
 * emptied.
 */
#include <stddef.h>

#include "base/async.h"

static struct base_task *held; /* told last, and not extracted yet */

static void opened(struct base_stream *stream) {
    (void)stream;
    held = NULL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    struct base_task *before = held;
    held = task;
    int code = base_tell_task(stream, task);
    base_lock(stream);
    if (code != 0 && before != NULL) before->array.array.release(&before->array.array);
    base_unlock(stream);
    return code;
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    if (held == task) held = NULL;
    if (out != NULL || task->array.array.release != NULL) return base_extract(self, out);
    struct ArrowDeviceArray nothing;
    return base_extract(self, &nothing);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.tell_task = tell_task;
    base_async.extract = extract;
    base_plays_async();
}
