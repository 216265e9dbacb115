/* SPDX-License-Identifier: Apache-2.0
 *
 * life/move-source-not-released, consumer: an ArrowArrayStream is copied, and not marked.
 */
#include "base/stream.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    struct ArrowArrayStream copy = *host;
    return base_produce_stream(self, type, device_id, &copy, out);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.produce_stream = produce;
}
