/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: what is released is marked so where it was made.
 */
#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    struct ArrowDeviceArrayStream *const *made = base_stream_of(self)->more;
    struct ArrowDeviceArrayStream *at = *made;
    struct ArrowDeviceArrayStream copy = *self;
    base_produced_release(&copy);
    if (at == self) self->release = NULL;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    base_stream_of(out)->more = base_copy_bytes(&out, sizeof out);
    out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
