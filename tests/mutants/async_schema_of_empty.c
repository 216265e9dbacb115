/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/type-differs, producer: a stream without batches says that it is of texts.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    int code = base_pull(stream);
    if (code != 0) return code;
    if (stream->has_ended) schema->format = "u";
    return base_tell_schema(stream, schema);
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
