/* SPDX-License-Identifier: Apache-2.0
 *
 * The correct implementation's streams: a chunk is made when it is asked for. A mutant makes one,
 * or puts other callbacks in front of those.
 */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdbool.h>

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

/* What is made: a mutant replaces callbacks of what is produced, of what is relayed, or of the host
 * copy of what is consumed. */
extern struct ArrowDeviceArrayStream base_produced, base_relayed;
extern struct ArrowArrayStream base_copied;

/* The callbacks as they are: of what is produced, */
int base_produced_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out);
int base_produced_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out);
const char *base_produced_error(struct ArrowDeviceArrayStream *self);
void base_produced_release(struct ArrowDeviceArrayStream *self);
/* of what is relayed, whose release is that of what is produced, */
int base_relayed_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out);
int base_relayed_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out);
const char *base_relayed_error(struct ArrowDeviceArrayStream *self);
/* an error that has no text; */
const char *base_error_silent(struct ArrowDeviceArrayStream *self);
/* and of the host copy of what is consumed. */
int base_copied_schema(struct ArrowArrayStream *self, struct ArrowSchema *out);
int base_copied_next(struct ArrowArrayStream *self, struct ArrowArray *out);
const char *base_copied_error(struct ArrowArrayStream *self);
void base_copied_release(struct ArrowArrayStream *self);

/* As base_consume_stream, but a stream of any other device is accepted as if it were on the CPU;
 * base_is_foreign then, which the mutant's callbacks ask. */
int base_consume_any_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                            struct ArrowArrayStream *host_out);
extern bool base_is_foreign;

/* As base_consume_stream, but a released stream is taken, too: then there is nothing behind the
 * host copy, whose callbacks the mutant replaces. */
int base_consume_released_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                                 struct ArrowArrayStream *host_out);

/* Roles of streams alone. */
#define BASE_STREAMS                                                                               \
    (ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS)

/* Gives the adapter these roles, and no others. */
void base_plays_streams(unsigned roles);
/* The same of relaying streams, and nothing else. */
void base_relays_streams(void);

#endif /* BASE_STREAM_H */
