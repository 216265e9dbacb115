/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It consumes streams of structs alone.
 */
#include <errno.h>
#include <string.h>

#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    struct ArrowSchema schema;
    if (in->release == NULL) return EINVAL;
    int code = in->get_schema == NULL ? EINVAL : in->get_schema(in, &schema);
    if (code == 0) {
        code = strcmp(schema.format, "+s") == 0 ? 0 : ENOTSUP;
        schema.release(&schema);
    }
    if (code == 0) return base_consume_stream(self, in, host_out);
    in->release(in);
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
}
