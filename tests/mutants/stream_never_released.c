/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: a stream that has ended is not released.
 */
#include "base/stream.h"

static void release(struct ArrowArrayStream *self) {
    base_copy_of(self)->in.release = NULL;
    base_copied_release(self);
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    host_out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
