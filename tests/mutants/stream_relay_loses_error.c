/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-overlooked, consumer: what is relayed ends where it fails.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->in.get_next(&stream->in, out) != 0) out->array.release = NULL;
    return 0;
}

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    int code = base_relay_stream(self, in, out);
    if (code != 0) return code;
    out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_RELAYS_STREAM;
    base.adapter.relay_stream = relay;
}
