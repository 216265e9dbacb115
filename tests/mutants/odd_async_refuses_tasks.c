/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What it cannot do is found out when a task is extracted: extract_data
 * answers ENOTSUP, and on_error follows.
 */
#include <errno.h>

#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    if (out == NULL) return base_extract(self, NULL);
    base_lock(stream);
    stream->error = ENOTSUP;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
    base_extract(self, NULL);
    return ENOTSUP;
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
