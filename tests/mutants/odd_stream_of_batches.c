/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a stream of structs becomes record batches, which are no field, so that nothing is
 * left of its flag ARROW_FLAG_NULLABLE.
 */
#include <string.h>

#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code == 0 && strcmp(out->format, "+s") == 0) out->flags &= ~ARROW_FLAG_NULLABLE;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema;
}
