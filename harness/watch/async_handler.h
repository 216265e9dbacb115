/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as consumer of an asynchronous stream: a handler for a producer under test, which
 * judges each call of it when it comes. It does what a consumer may, as its conduct says: it
 * requests as soon as it can, or late, extracts a copy of a task within the call, on another thread
 * or when the call is over, cancels, refuses. private_data points where nobody may look, and the
 * handler itself is closed when its release returns. C device data interface, "Async Device Stream
 * Interface".
 *
 * A producer may have moved, or copied, the handler: private_data, which no other handler has,
 * tells whose callback it is.
 *
 * Callbacks may come from any thread. The first call that breaks a rule is told, and no later one:
 * what comes behind a mistake may follow from it.
 */
#ifndef ADI_ASYNC_HANDLER_H
#define ADI_ASYNC_HANDLER_H

#include <pthread.h>
#include <stdbool.h>

#include "abi.h"
#include "async_layout.h"
#include "finding.h"
#include "turns.h"

#define ADI_ASYNC_TASKS 64 /* that are kept; what comes beyond is given up */

enum adi_async_extraction {
    ADI_EXTRACT_WITHIN,    /* within on_next_task */
    ADI_EXTRACT_ELSEWHERE, /* the same, on another thread */
    ADI_EXTRACT_LATER,     /* by adi_async_handler_serve, the last one first */
};

#define ADI_NEVER (-1)

struct adi_async_conduct {
    bool asks;         /* `at_schema` is requested in on_schema, whatever it is */
    int64_t at_schema; /* > 0, or a mistake of the consumer's on purpose */
    int64_t then;      /* requested in on_schema right behind that; 0: nothing */
    int64_t at_task;   /* requested within on_next_task, before anything is extracted; 0: nothing */
    enum adi_async_extraction extraction;
    bool gives_up; /* extract_data with NULL */

    int schema_refusal; /* on_schema answers it; 0: none */
    int task_refusal;   /* on_next_task answers it for the first task, which it has given up */

    int64_t cancels_at;   /* within on_next_task of this task, from 1; 0: within on_schema;
                             ADI_NEVER */
    int cancels;          /* by so many threads, which are let at once; 1: by the one there is */
    int64_t after_cancel; /* requested when cancel has returned; 0: nothing */

    bool source_fails; /* then there is a reason for on_error */
    bool is_known;     /* the same stream has come whole, requested otherwise: nothing is refused */
    bool holds;        /* the release returns when adi_async_handler_let has been called */

    bool has_no_error; /* on_error is NULL */
    bool is_quick;     /* callbacks take no while: it is done many times */

    struct adi_turns *turns; /* points in place of naps; NULL: none */
};

/* What is kept of a task that was extracted. */
struct adi_async_taken {
    int64_t number; /* of the task, from 1 */
    struct ArrowDeviceArray array;
};

/* A copy of one, from when the last callback came. */
struct adi_async_before {
    int64_t number; /* 0: of none */
    struct adi_node *tree;
};

struct adi_async_handler {
    struct ArrowAsyncDeviceStreamHandler *structure, original;
    struct ArrowAsyncDeviceStreamHandler *at; /* where the last callback found it */
    struct adi_async_conduct conduct;
    enum adi_async_layout layout;
    struct adi_sink *sink;
    void (*tell)(void *context, const char *rule); /* a crash or hang breaks it; NULL: no more */
    void *context;
    pthread_t main_thread; /* with the lock, where it changes while callbacks come */
    uint64_t random;       /* of delays */
    struct adi_async_handler *next;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct ArrowAsyncProducer *producer; /* as on_schema found it */
    union adi_any_producer as_it_was;
    enum adi_async_evidence evidence; /* for its layout */
    char *metadata;                   /* a copy; NULL: none */
    int64_t metadata_bytes;

    int schemas, ends, errors, releases;
    int64_t calls; /* callbacks that came */
    int64_t tasks, requested, before_cancel;
    bool has_moved;             /* a callback has found it elsewhere, and that was told */
    bool is_refused;            /* produce_async has failed */
    bool is_asked;              /* produce_async has not answered yet: it may still refuse */
    bool is_gone;               /* the producer was not there when it was to be called */
    bool has_cancelled;         /* a cancel has returned */
    bool has_schema, has_error; /* what on_schema, or on_error, has brought is there */
    bool has_asked, has_asked_badly, is_cancelled, has_refused_schema, has_refused_task;
    bool extract_failed, is_releasing, is_let, is_broken, is_over;
    int within, within_task; /* callbacks under way */
    int calling;             /* calls of the producer under way */
    int extractions;         /* calls of extract_data under way */
    int error_code, extract_code;
    bool is_unexplained; /* on_error came behind a cancel, and one of those may be the reason */
    char error_text[256];

    struct ArrowSchema schema;
    struct adi_async_kept_task {
        int64_t number;
        struct ArrowAsyncTask task;
    } waiting[ADI_ASYNC_TASKS];
    size_t n_waiting;
    struct adi_async_taken taken[ADI_ASYNC_TASKS];
    size_t n_taken;
    struct adi_async_before before[ADI_ASYNC_TASKS];
    struct adi_node *schema_before; /* async_kept.h */
};

/* Puts a handler into guarded memory, where `out->structure` points to, or into some of its own if
 * that is NULL; main thread. `*out` is zeroed but for that, `tell` and `context`, and lives until
 * adi_async_handler_close. NULL: the arena is full. */
struct ArrowAsyncDeviceStreamHandler *
adi_async_handler_open(struct adi_async_handler *out, const struct adi_async_conduct *conduct,
                       enum adi_async_layout layout, struct adi_sink *sink, uint64_t seed);

/* Extracts a task that was kept for later. false: there is none. */
bool adi_async_handler_serve(struct adi_async_handler *handler);
/* Takes the task that was kept first; the caller extracts it. false: there is none. */
bool adi_async_handler_take(struct adi_async_handler *handler, struct adi_async_kept_task *out);
/* Extracts a task that was taken, into `out`, or gives it up if that is NULL; when the handler is
 * over, too. Judges what it answers, and returns it. */
int adi_async_handler_extract(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                              struct ArrowDeviceArray *out);
/* Requests, on the calling thread; does nothing before on_schema and once the release has begun. */
void adi_async_handler_request(struct adi_async_handler *handler, int64_t n);
void adi_async_handler_cancel(struct adi_async_handler *handler);
/* From here on on_next_task gives its tasks up and answers the code. */
void adi_async_handler_refuse(struct adi_async_handler *handler, int code);
/* Something has been waited for in vain: reports what that breaks. */
void adi_async_handler_report_late(struct adi_async_handler *handler);
/* Nothing comes any more, for as long as a step may take: the rule that a hang breaks; NULL: it is
 * not known. */
const char *adi_async_handler_hangs(struct adi_async_handler *handler);
/* The release may return. */
void adi_async_handler_let(struct adi_async_handler *handler);
/* Reports, unless something was reported before. */
void adi_async_handler_report(struct adi_async_handler *handler, const char *rule, const char *seen,
                              const char *wanted, const char *what);

/* Its producer has refused it: no call may come any more. It lies in memory of its own from now on,
 * so that one that comes when it is closed is no other case's. */
void adi_async_handler_refused(struct adi_async_handler *handler);
/* Gives back what is kept. Only where it is over, or nothing has ever begun; else the handler has
 * to stay for as long as the process lives. */
void adi_async_handler_close(struct adi_async_handler *handler);

#endif /* ADI_ASYNC_HANDLER_H */
