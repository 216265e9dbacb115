/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Once its handler is released a task has nothing to give any more, and says
 * so (docs/ambiguities.md, 18).
 */
#include <errno.h>

#include "base/async.h"

static void release(struct base_stream *stream) {
    base_release_handler(stream);
    base_lock(stream);
    stream->handler = NULL;
    base_unlock(stream);
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    base_lock(stream);
    bool is_over = stream->handler == NULL;
    base_unlock(stream);
    if (!is_over) return base_extract(self, out);
    base_extract(self, NULL);
    return EINVAL;
}

void mutate(void) {
    base_async.release = release;
    base_async.extract = extract;
    base_plays_async();
}
