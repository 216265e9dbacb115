/* SPDX-License-Identifier: Apache-2.0
 *
 * life/failure-leaves-output: a batch that could not be had lies in the output nevertheless.
 */
#include <errno.h>

#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    bool fails = task->number == 2;
    base_lock(stream);
    if (fails) stream->error = EIO;
    base_unlock(stream);
    int code = base_extract(self, out);
    return fails ? EIO : code;
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
