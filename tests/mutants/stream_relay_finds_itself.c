/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: what is relayed is found by the address that it was made at.
 */
#include <errno.h>

#include "base/stream.h"

static const void *made_at;

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    return self == made_at ? stream->in.get_next(&stream->in, out) : EINVAL;
}

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    made_at = out;
    return base_relay_stream(self, in, out);
}

void mutate(void) {
    base_relays_streams();
    base.adapter.relay_stream = relay;
    base_relayed.get_next = next;
    base_relayed.get_last_error = base_error_silent;
}
