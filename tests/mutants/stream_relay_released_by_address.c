/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: the release of a relayed stream asserts that it lies where it
 * was made.
 */
#include <stdlib.h>

#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    struct ArrowDeviceArrayStream *const *made = base_stream_of(self)->more;
    if (*made != self) abort();
    base_produced_release(self);
}

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    int code = base_relay_stream(self, in, out);
    if (code != 0) return code;
    base_stream_of(out)->more = base_copy_bytes(&out, sizeof out);
    out->release = release;
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base.adapter.relay_stream = relay;
}
