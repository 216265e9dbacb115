/* SPDX-License-Identifier: Apache-2.0
 *
 * async/source-error-lost: an error of the source is taken for its end.
 */
#include "base/async.h"

static int pull(struct base_stream *stream) {
    if (base_pull(stream) != 0) stream->has_ended = true;
    return 0;
}

void mutate(void) {
    base_async.pull = pull;
    base_plays_async();
}
