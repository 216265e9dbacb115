/* SPDX-License-Identifier: Apache-2.0
 *
 * async/schema-not-first: the schema is not told at all, and a request waited for, which nobody
 * makes before.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    (void)stream, (void)schema;
    return 0;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
