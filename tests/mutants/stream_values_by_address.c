/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: a stream that lies elsewhere than where it was made gives
 * values of zero.
 */
#include "base/stream.h"

#include <string.h>

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArrayStream *const *made_at = base_stream_of(self)->more;
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || self == *made_at) return code;
    if (out->array.n_buffers == 2 && out->array.length > 0)
        memset((void *)(uintptr_t)out->array.buffers[1], 0, 4 * (size_t)out->array.length);
    return 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    base_stream_of(out)->more = base_copy_bytes(&out, sizeof out);
    out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
