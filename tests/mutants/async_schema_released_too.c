/* SPDX-License-Identifier: Apache-2.0
 *
 * async/chunk-depends-on-stream: the producer releases the schema, which the handler has moved out.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    struct ArrowSchema copy = *schema;
    int code = base_tell_schema(stream, schema);
    if (code == 0 && schema->release == NULL) copy.release(&copy);
    return code;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
