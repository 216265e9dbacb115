/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The handler is released by whoever lets go of the stream last: the thread
 * that has told all, or extract_data of the last task.
 */
#include "base/async.h"

static int tasks; /* told, and not extracted yet */
static bool has_told;

static void opened(struct base_stream *stream) {
    (void)stream;
    tasks = 0;
    has_told = false;
}

static int tell_task(struct base_stream *stream, struct base_task *task) {
    base_lock(stream);
    tasks += task != NULL;
    base_unlock(stream);
    return base_tell_task(stream, task);
}

static void release(struct base_stream *stream) {
    base_lock(stream);
    has_told = true;
    bool is_last = tasks == 0;
    base_unlock(stream);
    if (is_last) base_release_handler(stream);
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    base_lock(task->stream);
    bool is_last = --tasks == 0 && has_told;
    base_unlock(task->stream);
    if (is_last) base_release_handler(task->stream);
    return base_extract(self, out);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.tell_task = tell_task;
    base_async.release = release;
    base_async.extract = extract;
    base_async.on_its_own = true; /* its thread does not say when it is done */
    base_plays_async();
}
