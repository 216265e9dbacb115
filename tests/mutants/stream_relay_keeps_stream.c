/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: the relayed stream is released, and what it stands on is not.
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
    out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_RELAYS_STREAM;
    base.adapter.relay_stream = relay;
}
