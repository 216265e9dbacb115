/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. extract_data answers ENOTSUP, and the release comes a while after on_error.
 */
#include <errno.h>
#include <unistd.h>

#include "base/async.h"

#define WHILE_US 150000

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

static void release(struct base_stream *stream) {
    base_lock(stream);
    bool has_failed = stream->error != 0;
    base_unlock(stream);
    if (has_failed) usleep(WHILE_US);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.extract = extract;
    base_async.release = release;
    base_plays_async();
}
