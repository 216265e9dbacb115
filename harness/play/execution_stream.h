/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that play streams share (execution_stream*.c): what is known of one, how it is
 * exported, and what its callbacks hand out.
 */
#ifndef ADI_EXECUTION_STREAM_H
#define ADI_EXECUTION_STREAM_H

#include <errno.h>

#include "execution_internal.h"
#include "guarded_stream.h"
#include "play_stream.h"

#define ADI_STREAM_OF 2 /* chunks of a stream that does not fail; as life/stream.def has it */

/* What is known of a stream: the harness's own, or an implementation's. */
struct adi_exported_stream {
    struct adi_execution *p;
    struct adi_exported_array *self;
    size_t n, next;                     /* chunks that it has, and that were handed out */
    bool pending, fails;                /* its chunks come so; after its first it does */
    bool ended, failed;                 /* its end has come, or an error */
    struct adi_stream_calls calls;      /* of an implementation's */
    struct adi_exported_stream *source; /* the harness's own that it was made of; NULL: none, or one
                                           that nobody is judged by */
    size_t n_schemas;                   /* that it has handed out */
    size_t given; /* of these, in guarded memory to an implementation that has taken it over */
    const struct ArrowArray *values[ADI_STREAM_OF]; /* of its chunks */
    /* The harness's own. */
    struct adi_guarded_stream guarded;
    struct adi_guarded_stream_hooks hooks;
    struct adi_guarded_chunk chunks[ADI_STREAM_OF];
    struct adi_exported_array *parts[ADI_STREAM_OF];
    struct adi_exported_array *schema; /* the last that it has handed out */
};

static inline struct adi_exported_stream *
adi_exported_stream(const struct adi_exported_array *exported) {
    return exported->own;
}

/* Which of the two the streams of an execution are. */
static inline const struct adi_kind *adi_execution_stream_kind(const struct adi_execution *p) {
    return p->on_host ? &adi_kind_array_stream : &adi_kind_device_array_stream;
}

/* ---- exporting (execution_stream_export.c) ---- */

int adi_act_stream_export(struct adi_execution *p, const struct adi_step *step);
/* A record of a stream that comes about; NULL: out of memory, and p->error says so. */
struct adi_exported_array *adi_exported_stream_add(struct adi_execution *p);
/* What an implementation makes its stream of. It is plain: what it does with that is judged
 * elsewhere. */
int adi_exported_stream_source(struct adi_execution *p, struct adi_exported_stream *stream,
                               struct ArrowArrayStream *out);

/* What an implementation does with the stream, and with what that hands out, nobody is told. Where
 * the program has come to the end already, that it comes once more is the first that it sees. */
void adi_exported_stream_let_take(struct adi_exported_stream *stream);
/* The implementation takes over `in`, which is what remains of `of`, and exports it again, or what
 * it makes of it, to the slot. */
int adi_exported_stream_relay(struct adi_execution *p, struct adi_exported_stream *of, void *in,
                              struct adi_execution_slot *to);

/* ---- the callbacks (execution_stream_calls.c) ---- */

int adi_act_stream_schema(struct adi_execution *p, const struct adi_step *step);
int adi_act_stream_next(struct adi_execution *p, const struct adi_step *step);
int adi_act_stream_error(struct adi_execution *p, const struct adi_step *step);
/* Is one that is like an implementation's in the slot, and is released where it was made and on
 * this thread, marked released? */
bool adi_exported_stream_clears(struct adi_execution *p, const struct adi_execution_slot *slot);

#endif /* ADI_EXECUTION_STREAM_H */
