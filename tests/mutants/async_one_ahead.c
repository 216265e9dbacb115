/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-beyond-requests: one batch more is handed out than was requested.
 */
#include "base/async.h"

static bool may_deliver(struct base_stream *stream) {
    return stream->requested > 0 && stream->requested + 1 > stream->delivered;
}

void mutate(void) {
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
