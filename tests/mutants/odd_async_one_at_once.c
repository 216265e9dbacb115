/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The next task is told when the one before it was extracted
 * (docs/ambiguities.md, 45).
 */
#include "base/async.h"

static bool may_deliver(struct base_stream *stream) {
    return base_may_deliver(stream) && stream->users < 2;
}

void mutate(void) {
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
