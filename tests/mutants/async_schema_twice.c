/* SPDX-License-Identifier: Apache-2.0
 *
 * async/schema-not-first: on_schema is called again.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    struct ArrowSchema copy;
    int code = base_tell_schema(stream, schema);
    if (code != 0 || base_schema_copy(&stream->schema, &copy) != 0) return code;
    code = base_tell_schema(stream, &copy);
    if (copy.release != NULL) copy.release(&copy);
    return code;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
