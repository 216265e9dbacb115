/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-within-callback: on_schema is called under the lock that request takes.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    pthread_mutex_lock(&stream->lock);
    int code = base_tell_schema(stream, schema);
    pthread_mutex_unlock(&stream->lock);
    return code;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
