/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: once chunks were given out, a name that is empty is NULL, which says the same.
 */
#include "base/stream.h"

static int schema_of_now(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code == 0 && base_stream_of(self)->chunks > 0 && out->name != NULL && *out->name == '\0')
        out->name = NULL;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema_of_now;
}
