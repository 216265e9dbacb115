/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as producer of an asynchronous stream, for a consumer under test. Its batches are
 * guarded inputs that were made before; its structures and texts lie in guarded memory that is
 * closed as soon as the document lets them end: a task, and metadata, when the call has returned
 * that they came with, the producer when the release has, and before on_schema where an error comes
 * first. private_data is never open. Every finding is the consumer's. This is what a consumer calls
 * and is given; async_drive.h calls its handler. C device data interface, "Async Device Stream
 * Interface".
 */
#ifndef ADI_ASYNC_FEED_H
#define ADI_ASYNC_FEED_H

#include <pthread.h>
#include <stdatomic.h>

#include "async_layout.h"
#include "async_other.h"
#include "guarded_stream.h"
#include "turns.h"

#define ADI_FEED_TASKS 8

/* Whose metadata: each task's, from 0, and behind them the end's; and these. */
enum adi_feed_metadata {
    ADI_FEED_OF_PRODUCER = ADI_FEED_TASKS + 1,
    ADI_FEED_OF_ERROR,
    ADI_FEED_METADATA,
};

/* What no producer does, and nobody asks a consumer to survive. */
enum adi_feed_oddity {
    ADI_FEED_AS_IT_SHOULD,
    ADI_FEED_TEXT_LONG,
    ADI_FEED_TEXT_BINARY,
    ADI_FEED_METADATA_NEGATIVE,
    ADI_FEED_SCHEMA_OTHER, /* the caller's plan has it */
    ADI_FEED_ENDS_TWICE,
};

enum adi_feed_release {
    ADI_FEED_UNRELEASED,
    ADI_FEED_RELEASING, /* its callback runs */
    ADI_FEED_RELEASED,  /* it has returned */
};

struct adi_async_feed_plan {
    const struct ArrowSchema *schema; /* of all batches; the caller's */
    struct adi_guarded_chunk *chunks; /* the caller's; `pair.schema` is not used */
    size_t n_chunks;                  /* ADI_FEED_TASKS at most */
    ArrowDeviceType type;
    enum adi_async_layout layout;
    int failure;      /* on_error behind the batches; 0: the end */
    size_t fails_at;  /* from 1: extract_data of this task answers EIO, unless it is given up; then
                         on_error comes, or the release where on_next_task has answered an error */
    bool fails_first; /* before on_schema */
    bool elsewhere;   /* each callback is called on a thread of its own */
    bool is_late;     /* a while after it could have been */
    bool is_silent;   /* the message of on_error is NULL */
    bool listens;     /* for who looks at which member of the producer: nothing of it is closed */
    enum adi_feed_oddity oddity;
    struct adi_turns
        *turns; /* the thread that calls back, and who calls, come to points; NULL: none */
    /* (optional) Makes batch `which` anew, just before its task is told; main thread. */
    void (*before_task)(void *context, size_t which);
    void (*tell)(void *context, const char *rule); /* a crash or hang breaks it; NULL: no more */
    void *context;
};

struct adi_async_feed {
    struct adi_async_feed_plan plan;
    struct adi_sink *sink;
    union adi_any_producer *producer, original;
    struct ArrowSchema *schema;
    const void *schema_key;         /* its private_data */
    struct ArrowSchema schema_left; /* as on_schema has left it */
    bool is_schema_taken;           /* on_schema has answered 0 */
    _Atomic int schema_releases;
    struct ArrowAsyncTask *tasks[ADI_FEED_TASKS];
    char *metadata[ADI_FEED_METADATA], *message, *private_data;
    struct adi_async_other other;
    struct ArrowAsyncDeviceStreamHandler *handler;
    struct adi_async_feed *next;
    pthread_t thread;
    bool has_thread;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    int64_t requested, delivered;
    bool is_cancelled, is_abandoned, is_broken, has_failed, has_bad_request, is_over;
    enum adi_feed_release release; /* of the handler */
    bool is_waiting;               /* for a request */
    bool has_end;                  /* the end is told, or is about to be */
    bool extract_failed;
    bool
        fails_untold; /* behind the end, where no on_error comes, and before the release was over */
    int error_code;   /* that on_error is called with */
    int64_t steps;    /* that were done */
    bool is_served;   /* `before_task` is called for who asks */
    size_t asks;      /* for which task, from 1; 0: for none */
    int extracted[ADI_FEED_TASKS];
    bool settled[ADI_FEED_TASKS]; /* it was given, given back, or has failed */
};

/* Lays everything out; main thread. false: the arena is full. */
bool adi_async_feed_open(struct adi_async_feed *out, const struct adi_async_feed_plan *plan,
                         struct adi_sink *sink);
/* The first mistake is told, and no later one, which may follow from it. */
void adi_async_feed_report(struct adi_async_feed *feed, const char *rule, const char *seen,
                           const char *wanted, const char *what);
/* With `listens`, once it is over: is the layout of the producer the consumer's? */
enum adi_async_evidence adi_async_feed_layout(const struct adi_async_feed *feed);
/* Reports that private_data of the producer was followed, if it was. */
void adi_async_feed_judge_followed(struct adi_async_feed *feed);
/* The calling thread is within a callback that must not call the producer; NULL: it is not. */
void adi_async_feed_within(const char *callback);
/* How far the release of the handler is. */
void adi_async_feed_releases(struct adi_async_feed *feed, enum adi_feed_release release);
/* Has the consumer taken the schema, and not released it yet? */
bool adi_async_feed_lends_schema(const struct adi_async_feed *feed);
/* Its consumer has said that it is done: what waits for a request ends as if it was cancelled. */
void adi_async_feed_abandon(struct adi_async_feed *feed);
/* Reports what was never extracted, and gives everything back but the batches. */
void adi_async_feed_close(struct adi_async_feed *feed);

#endif /* ADI_ASYNC_FEED_H */
