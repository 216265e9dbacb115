/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the schema is given back at the end, and cannot be asked for behind it.
 */
#include <errno.h>

#include "base/stream.h"

static int (*next_of)(struct ArrowDeviceArrayStream *, struct ArrowDeviceArray *);
static int (*schema_of)(struct ArrowDeviceArrayStream *, struct ArrowSchema *);

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    int code = (stream->in.release != NULL ? next_of : base_produced_next)(self, out);
    if (code == 0 && out->array.release == NULL) stream->chunks = -1;
    return code;
}

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0) return EINVAL;
    return (stream->in.release != NULL ? schema_of : base_produced_schema)(self, out);
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0) return "the stream has ended";
    return stream->in.release != NULL ? stream->in.get_last_error(&stream->in)
                                      : base_produced_error(self);
}

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    int code = base_relay_stream(self, in, out);
    if (code != 0) return code;
    next_of = out->get_next;
    schema_of = out->get_schema;
    out->get_next = next;
    out->get_schema = schema;
    out->get_last_error = error;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.relay_stream = relay;
    base_produced.get_next = next;
    base_produced.get_schema = schema;
    base_produced.get_last_error = error;
}
