/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: the stream is released when it has been relayed, and asked for
 * its chunks afterwards.
 */
#include <stdlib.h>

#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    free(base_stream_of(self));
    self->release = NULL;
}

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    int code = base_relay_stream(self, in, out);
    if (code != 0) return code;
    struct ArrowDeviceArrayStream copy = base_stream_of(out)->in;
    copy.release(&copy);
    out->release = release;
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base.adapter.relay_stream = relay;
}
