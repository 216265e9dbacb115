/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a stream is moved as it is, and whether it was released is looked at when it is
 * asked for something.
 */
#include <errno.h>

#include "base/stream.h"

static int schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    return base_copy_of(self)->in.release == NULL ? EINVAL : base_copied_schema(self, out);
}

static const char *error(struct ArrowArrayStream *self) {
    return base_copy_of(self)->in.release == NULL ? "it was released" : base_copied_error(self);
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = base_consume_released_stream;
    base_copied.get_schema = schema;
    base_copied.get_last_error = error;
}
