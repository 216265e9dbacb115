/* SPDX-License-Identifier: Apache-2.0
 *
 * async/handler-not-released: a handler that has refused is forgotten.
 */
#include "base/async.h"

static bool is_refused;

static void refuse(struct base_stream *stream, int code) {
    (void)stream, (void)code;
    is_refused = true;
}

static void release(struct base_stream *stream) {
    if (!is_refused) base_release_handler(stream);
    is_refused = false;
}

void mutate(void) {
    base_async.refused = refuse;
    base_async.release = release;
    base_plays_async();
}
