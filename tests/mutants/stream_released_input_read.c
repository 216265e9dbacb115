/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer: nobody looks whether the stream is released.
 */
#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    struct ArrowSchema schema;
    int code = in->get_schema(in, &schema);
    if (code != 0) return code;
    schema.release(&schema);
    return base_consume_stream(self, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
