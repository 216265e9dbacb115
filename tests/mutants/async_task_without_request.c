/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-without-request: the first batch is handed out at once.
 */
#include "base/async.h"

static bool may_deliver(struct base_stream *stream) {
    return stream->delivered == 0 || base_may_deliver(stream);
}

void mutate(void) {
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
