/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-asked-without-error, consumer: get_last_error is asked whether something is wrong.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    int code = base_copied_next(self, out);
    return stream->in.get_last_error(&stream->in) == NULL ? code : EIO;
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    host_out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
