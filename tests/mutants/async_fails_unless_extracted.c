/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-depends-on-address: a task that has not been extracted when its call is over is an
 * error of the stream.
 */
#include <errno.h>

#include "base/async.h"

static int n_extracted;

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    n_extracted++;
    return base_extract(self, out);
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    int before = n_extracted;
    int code = base_tell_task(stream, task);
    base_lock(stream);
    if (task != NULL && n_extracted == before) stream->error = EIO;
    base_unlock(stream);
    return code;
}

void mutate(void) {
    base_async.extract = extract;
    base_async.tell_task = tell_task;
    base_plays_async();
}
