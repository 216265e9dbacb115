/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Once it is cancelled extract_data answers ECANCELED, which on_error tells
 * before it has returned.
 */
#include <errno.h>
#include <unistd.h>

#include "base/async.h"

#define ERROR_US 20000 /* that on_error, on the stream's thread, is waited for */

static bool has_told;

static void opened(struct base_stream *stream) {
    (void)stream;
    has_told = false;
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    base_lock(stream);
    bool fails = out != NULL && stream->is_cancelled;
    if (fails) stream->error = ECANCELED;
    base_unlock(stream);
    int code = base_extract(self, fails ? NULL : out);
    if (!fails) return code;
    usleep(ERROR_US);
    return ECANCELED;
}

static void tell_error(struct base_stream *stream, int code) {
    has_told = true;
    base_tell_error(stream, code);
}

/* When each task was extracted. */
static void release(struct base_stream *stream) {
    base_lock(stream);
    while (stream->users > 1) base_await_change(stream);
    int error = stream->error;
    base_unlock(stream);
    if (error != 0 && !has_told) base_tell_error(stream, error);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.extract = extract;
    base_async.tell_error = tell_error;
    base_async.release = release;
    base_plays_async();
}
