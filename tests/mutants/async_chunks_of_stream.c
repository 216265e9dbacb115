/* SPDX-License-Identifier: Apache-2.0
 *
 * async/chunk-depends-on-stream: the bytes of the batches are the stream's, and end with it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/async.h"

static char *bytes;
static size_t used;

static void *alloc(size_t size) {
    used = (used + 63) / 64 * 64;
    char *start = bytes + used;
    used += size;
    return start;
}

static void leave(void *buffer) {
    (void)buffer;
}

static void opened(struct base_stream *stream) {
    (void)stream;
    if (bytes == NULL) bytes = aligned_alloc(64, 1 << 24);
    used = 0;
}

static void release(struct base_stream *stream) {
    base_release_handler(stream);
    memset(bytes, 0x77, used);
}

void mutate(void) {
    base.buffer_alloc = alloc;
    base.buffer_free = leave;
    base_async.opened = opened;
    base_async.release = release;
    base_plays_async();
}
