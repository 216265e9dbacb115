/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: the copies of a stream are found by where it was made.
 */
#include <errno.h>

#include "base/stream.h"

static const void *made_at;

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    return self == made_at ? base_copied_next(self, out) : EINVAL;
}

static const char *text(struct ArrowArrayStream *self) {
    (void)self;
    return NULL;
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    made_at = host_out;
    return base_consume_stream(self, in, host_out);
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
    base_copied.get_next = next;
    base_copied.get_last_error = text;
}
