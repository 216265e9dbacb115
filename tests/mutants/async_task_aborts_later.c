/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-depends-on-address: a task whose call is over cannot be extracted any more, and ends
 * the process.
 */
#include <stdlib.h>

#include "base/async.h"

static const struct base_task *told;

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    if (told != self->private_data) abort();
    return base_extract(self, out);
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    told = task;
    int code = base_tell_task(stream, task);
    told = NULL;
    return code;
}

void mutate(void) {
    base_async.extract = extract;
    base_async.tell_task = tell_task;
    base_plays_async();
}
