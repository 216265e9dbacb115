/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What the first request is answered by takes seconds.
 */
#include <unistd.h>

#include "base/async.h"

static int pull(struct base_stream *stream) {
    if (stream->delivered == 0) usleep(2300000);
    return base_pull(stream);
}

void mutate(void) {
    base_async.pull = pull;
    base_plays_async();
}
