/* SPDX-License-Identifier: Apache-2.0
 *
 * The correct implementation's streams: a chunk is made when it is asked for. A mutant makes one,
 * or puts other callbacks in front of those.
 */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include "implementation.h"

/* What is behind `private_data` of each stream. `from` or `in` is what it is made of. */
struct base_stream {
    struct ArrowArrayStream from;     /* released where it consumes */
    struct ArrowDeviceArrayStream in; /* released where it produces */
    struct ArrowSchema schema;        /* released: it was not asked for yet */
    void *more;                       /* the mutant's own */
    int64_t chunks;                   /* given out */
};

static inline struct base_stream *base_stream_of(struct ArrowDeviceArrayStream *self) {
    return (struct base_stream *)self->private_data;
}

static inline struct base_stream *base_copy_of(struct ArrowArrayStream *self) {
    return (struct base_stream *)self->private_data;
}

int base_produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                        struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out);
int base_consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                        struct ArrowArrayStream *host_out);
int base_relay_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                      struct ArrowDeviceArrayStream *out);

/* What is made: a mutant replaces callbacks of what is produced, or of the host copy of what is
 * consumed. */
extern struct ArrowDeviceArrayStream base_produced;
extern struct ArrowArrayStream base_copied;

/* The callbacks as they are: of what is produced, */
int base_produced_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out);
int base_produced_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out);
const char *base_produced_error(struct ArrowDeviceArrayStream *self);
void base_produced_release(struct ArrowDeviceArrayStream *self);
/* and of the host copy of what is consumed. */
int base_copied_schema(struct ArrowArrayStream *self, struct ArrowSchema *out);
int base_copied_next(struct ArrowArrayStream *self, struct ArrowArray *out);
const char *base_copied_error(struct ArrowArrayStream *self);
void base_copied_release(struct ArrowArrayStream *self);

/* Roles of streams alone. */
#define BASE_STREAMS                                                                               \
    (ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS)

/* Gives the adapter these roles, and no others. */
void base_plays_streams(unsigned roles);

#endif /* BASE_STREAM_H */
