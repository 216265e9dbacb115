/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-depends-on-address: a task is extracted within its call, or is lost.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    bool is_there = task->array.array.release != NULL;
    if (is_there && out != NULL) *out = task->array;
    if (is_there && out == NULL) task->array.array.release(&task->array.array);
    task->array.array.release = NULL;
    return is_there ? 0 : EINVAL;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    static struct base_task here;
    if (task == NULL) return base_tell_task(stream, NULL);
    here = *task;
    free(task);
    int code = base_tell_task(stream, &here);
    if (here.array.array.release != NULL) here.array.array.release(&here.array.array);
    here.array.array.release = NULL;
    base_lock(stream);
    stream->users--;
    base_unlock(stream);
    return code;
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_async.extract = extract;
    base_plays_async();
}
