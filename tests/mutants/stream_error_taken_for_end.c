/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-overlooked, consumer: where get_next fails the copy ends.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    if (base_copied_next(self, out) != 0) out->release = NULL;
    return 0;
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    host_out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
