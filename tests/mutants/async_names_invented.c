/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/names-differ, producer: on_schema is called with other names of the columns.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    for (int64_t i = 0; i < schema->n_children; i++) schema->children[i]->name = "column";
    return base_tell_schema(stream, schema);
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
