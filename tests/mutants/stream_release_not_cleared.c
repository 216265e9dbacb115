/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-not-cleared, producer: a stream that is released is not marked so.
 * apache/arrow-nanoarrow#203, apache/arrow#35760.
 */
#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    base_produced_release(self);
    self->release = release;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
