/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the library has no ArrowArrayStream of its own, and the adapter forwards.
 */
#include "adapter_stream.h"
#include "base/stream.h"

static int schema(void *stream, struct ArrowSchema *out) {
    return base_copied_schema(&((struct ArrowArrayStream){.private_data = stream}), out);
}

static int next(void *stream, struct ArrowArray *out) {
    return base_copied_next(&((struct ArrowArrayStream){.private_data = stream}), out);
}

static const char *error(void *stream) {
    return base_copied_error(&((struct ArrowArrayStream){.private_data = stream}));
}

static void end(void *stream) {
    base_copied_release(&((struct ArrowArrayStream){.private_data = stream}));
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    const struct adi_forwarded from = {host_out->private_data, schema, next, error, end};
    return adi_forward(host_out, &from);
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM;
    base.adapter.consume_stream = consume;
}
