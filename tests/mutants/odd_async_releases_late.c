/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The release comes a while after everything else.
 */
#include <unistd.h>

#include "base/async.h"

static void release(struct base_stream *stream) {
    usleep(60000);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
