/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-changes, producer: once chunks were given out the schema is said to be of another
 * type.
 */
#include "base/stream.h"

static int schema_of_now(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code != 0 || base_stream_of(self)->chunks == 0) return code;
    struct ArrowSchema *column = out->n_children > 0 ? out->children[0] : out;
    *(char *)(uintptr_t)column->format = 'I';
    return 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    out->get_schema = schema_of_now;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
