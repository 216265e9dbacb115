/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-not-marked, producer: at the end get_next answers 0 and writes nothing.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray made;
    int code = base_produced_next(self, &made);
    if (code == 0 && made.array.release != NULL) *out = made;
    return code;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
