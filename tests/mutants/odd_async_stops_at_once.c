/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. After a cancel nothing comes but the release.
 */
#include "base/async.h"

static bool may_deliver(struct base_stream *stream) {
    return !stream->is_cancelled && base_may_deliver(stream);
}

void mutate(void) {
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
