/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer: a stream is known by the address that it was made at.
 */
#include <errno.h>

#include "base/stream.h"

static struct ArrowDeviceArrayStream *made_at;

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    return self == made_at ? base_produced_next(self, out) : EINVAL;
}

/* Nothing has failed that it is made of. */
static const char *text(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return NULL;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    made_at = out;
    out->get_next = next;
    out->get_last_error = text;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
