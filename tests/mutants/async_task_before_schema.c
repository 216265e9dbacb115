/* SPDX-License-Identifier: Apache-2.0
 *
 * async/schema-not-first: a stream of no batches has an end, but no schema.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    if (base_async.pull(stream) == 0 && stream->has_ended) return 0;
    return base_tell_schema(stream, schema);
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
