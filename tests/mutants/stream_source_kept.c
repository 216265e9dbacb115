/* SPDX-License-Identifier: Apache-2.0
 *
 * life/move-source-not-released, consumer: the stream is copied, and its source not marked
 * released.
 */
#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    struct ArrowDeviceArrayStream copy = *in;
    return base_consume_stream(self, &copy, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
