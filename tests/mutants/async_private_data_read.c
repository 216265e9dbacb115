/* SPDX-License-Identifier: Apache-2.0
 *
 * async/private-data-touched: the private_data of the handler is looked at.
 */
#include "base/async.h"

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    (void)*(volatile char *)stream->handler->private_data;
    return base_tell_schema(stream, schema);
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
