/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as producer of a stream, for a consumer under test: an ArrowDeviceArrayStream, or an
 * ArrowArrayStream, in guarded memory. Its chunks are guarded inputs (guarded_input.h) that were
 * made before, so that any thread may ask for them; its callbacks do what the documents ask of a
 * producer, so every finding is the consumer's: what is called, and when, is looked up in the life
 * of a stream (life/stream.def).
 * The text of an error is closed with the next call, and what the array that ends the stream points
 * to is never open. Who calls when the stream has been closed gets an error, and its release is
 * nobody's finding.
 *
 * C stream interface; C Device data interface, "Device Stream Interface".
 */
#ifndef ADI_GUARDED_STREAM_H
#define ADI_GUARDED_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "guarded_input.h"

/* A chunk: the input, which outlives the stream, and what adi_guarded_put has made of it. Its
 * schema, if it has one, is what get_schema hands out, once. */
struct adi_guarded_chunk {
    struct adi_guarded *input;
    struct adi_guarded_pair pair;
};

#define ADI_STREAM_TEXTS 4 /* get_last_error has a text so many times, and none after that */

struct adi_guarded_stream {
    struct adi_monitor monitor; /* of the stream structure alone */
    const struct adi_kind *kind;
    const struct ArrowSchema *schema;   /* of all chunks; the caller's */
    struct adi_guarded_chunk *chunks;   /* the caller's */
    size_t n_chunks, next, n_schemas;   /* handed out so far */
    int failure;                        /* what get_next answers behind the chunks; 0: the end */
    int schema_failure;                 /* what get_schema and get_next answer; 0: no error */
    char *texts[ADI_STREAM_TEXTS];      /* guarded; NULL: there is none */
    size_t n_texts;                     /* handed out so far */
    size_t ends_early;                  /* chunks before the first of two ends; 0: there is one */
    char *private_data;                 /* closed memory: which stream it is */
    void *poison;                       /* closed memory: what a released structure points to */
    void *end;                          /* closed memory: what the array that ends it points to */
    void *structure;                    /* where it was made */
    _Atomic int inside;                 /* callbacks that run */
    _Atomic bool has_ended, has_failed; /* that has been said */
    _Atomic bool may_go_on;             /* who reads what is made of it has asked behind the end */
    bool is_told; /* its consumer tells where he moves what he is given: the harness itself */
    const struct adi_guarded_stream_hooks *hooks;
    pthread_t thread;         /* that has opened it */
    _Atomic uintptr_t last;   /* what stands for the thread of the last call; 0: there was none */
    _Atomic bool has_several; /* threads that have called */
    struct adi_guarded_stream *opened;
    bool whole; /* it was made; else there is nothing to release */
};

/* What is to happen within the callbacks; each is optional. */
struct adi_guarded_stream_hooks {
    void *context;
    /* Chunk `i` is asked for, by the thread that has opened the stream: it may be made anew. */
    void (*ask)(void *context, size_t i);
    /* The end, or an error, is about to be given: who overlooks it breaks this rule; NULL: somebody
     * has asked what was wrong. Any thread. */
    void (*tell)(void *context, const char *rule);
    /* A schema is asked for: gives one in guarded memory, and whose it is; NULL: there is none, and
     * one from the heap is given. */
    struct ArrowSchema *(*schema)(void *context, struct adi_guarded **input);
};

struct adi_guarded_stream_plan {
    const struct ArrowSchema *schema; /* both live as long as the stream */
    struct adi_guarded_chunk *chunks;
    size_t n_chunks;
    ArrowDeviceType type; /* of the stream */
    int failure;          /* an errno value behind the last chunk; 0: the stream ends */
    int schema_failure;   /* an errno value from the first call on; 0: none */
    const char *text;     /* of the failure; NULL: get_last_error has none */
    size_t ends_early;    /* what no producer does: it ends behind so many chunks, and then goes on
                             to its end; 0: it does not */
    const struct adi_guarded_stream_hooks *hooks; /* NULL: none */
};

/* Makes a stream of the kind (adi_kind_device_array_stream or adi_kind_array_stream) in guarded
 * memory; `sink` is told what its consumer breaks. The structure stays the guard's. NULL: out of
 * memory, and there is nothing to close. Main thread; so is closing. */
void *adi_guarded_stream_open(struct adi_guarded_stream *stream, const struct adi_kind *kind,
                              const struct adi_guarded_stream_plan *plan, struct adi_sink *sink);
/* The caller has moved the structure. */
void adi_guarded_stream_moved(struct adi_guarded_stream *stream, const void *from, void *to);
/* Is the structure still to be released? */
bool adi_guarded_stream_is_live(struct adi_guarded_stream *stream);
/* Ends it, before the inputs of its chunks end: reports that its consumer never released it, and
 * releases what was not handed out. */
void adi_guarded_stream_close(struct adi_guarded_stream *stream);

#endif /* ADI_GUARDED_STREAM_H */
