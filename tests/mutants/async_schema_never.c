/* SPDX-License-Identifier: Apache-2.0
 *
 * async/schema-not-first: the schema is not told at all, and what nobody has requested is handed
 * out.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    (void)stream, (void)schema;
    return 0;
}

static bool may_deliver(struct base_stream *stream) {
    (void)stream;
    return true;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
