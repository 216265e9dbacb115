/* SPDX-License-Identifier: Apache-2.0
 *
 * async/private-data-touched: a while behind on_error it looks into the handler's private_data.
 * Once it is cancelled no task can be extracted.
 */
#include <errno.h>
#include <unistd.h>

#include "base/async.h"

#define WHILE_US 20000

static volatile char seen;
static bool has_told;

static void opened(struct base_stream *stream) {
    (void)stream;
    has_told = false;
}

static void tell_error(struct base_stream *stream, int code) {
    const volatile char *theirs = stream->handler->private_data;
    has_told = true;
    base_tell_error(stream, code);
    usleep(WHILE_US);
    seen = *theirs;
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *task = self->private_data;
    struct base_stream *stream = task->stream;
    base_lock(stream);
    bool fails = out != NULL && stream->is_cancelled;
    if (fails) stream->error = ECANCELED;
    base_unlock(stream);
    int code = base_extract(self, fails ? NULL : out);
    return fails ? ECANCELED : code;
}

/* When each task was extracted. */
static void release(struct base_stream *stream) {
    base_lock(stream);
    while (stream->users > 1) base_await_change(stream);
    int error = stream->error;
    base_unlock(stream);
    if (error == ECANCELED && !has_told) tell_error(stream, error);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.extract = extract;
    base_async.tell_error = tell_error;
    base_async.release = release;
    base_plays_async();
}
