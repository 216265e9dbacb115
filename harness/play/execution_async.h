/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the execution of programs: what asynchronous streams and their tasks share.
 *
 * In both cases the handler is async_handler.h's, so that whoever calls it is judged. The harness's
 * own producer is the reference's, which this thread steps; an implementation's calls from whatever
 * thread it likes, and is waited for.
 */
#ifndef ADI_EXECUTION_ASYNC_H
#define ADI_EXECUTION_ASYNC_H

#include "async_handler.h"
#include "async_producer.h"
#include "execution_internal.h"

#define ADI_EXPORTED_TASKS 2 /* of a stream that does not fail; as life/async.def has it */

/* What is known of an asynchronous stream, and its handler, which lies in a slot. */
struct adi_exported_async {
    struct adi_sink sink; /* first: what the handler finds, on any thread */
    struct adi_execution *p;
    struct adi_exported_array *self;
    struct adi_monitor monitor; /* of the handler's place */
    struct adi_async_handler *handler;
    pthread_t thread;    /* that plays */
    size_t n, next;      /* tasks that it has, and that were taken */
    bool pending, fails; /* its arrays come so; after its first it does */
    bool cancelled, refused;
    bool is_brief;   /* it is not waited for long, as it is known what comes of it */
    bool is_starved; /* what it waited for last had no processor for most of its time */
    const struct ArrowArray *values[ADI_EXPORTED_TASKS]; /* of its arrays */
    /* The harness's own. */
    struct adi_async_producer *producer; /* NULL: it is an implementation's */
    struct adi_guarded_pair pairs[ADI_EXPORTED_TASKS];
    struct adi_exported_array *parts[ADI_EXPORTED_TASKS];
    size_t given; /* pairs that were pulled */
};

struct adi_exported_task {
    struct adi_monitor monitor;
    struct adi_exported_async *of;
    size_t which;
};

/* Tells the monitor of the place that the operation is about to be done. false: that was a finding.
 */
bool adi_async_may_call(struct adi_execution_slot *slot, enum adi_life_operation operation);
/* What lies there has ended in a state of its own. */
void adi_async_settle_end(struct adi_execution_slot *slot);
/* Calls the other party, as its own code if it is an implementation; on the helper's thread, if
 * `elsewhere`. */
void adi_async_call(struct adi_exported_async *stream, const char *phase, bool elsewhere,
                    void (*code)(void *context), void *context);
/* Waits until `done`, which is asked under the handler's lock, or takes the steps that are left to
 * it. false: in vain. */
bool adi_async_await(struct adi_exported_async *stream,
                     bool (*done)(const struct adi_async_handler *));
/* Reports a handler that was released before anything else had come. */
void adi_async_judge_alone(struct adi_exported_async *stream);
/* What was waited for has not come. */
int adi_async_give_up_waiting(struct adi_exported_async *stream);
/* The implementation has said no, which is no mistake: `why` is in p->error. */
int adi_async_refuse(struct adi_execution *p, int code, const char *why);

/* ---- execution_async_source.c ---- */

/* A record of one that the operation is to begin. NULL: p->error says why. */
struct adi_exported_async *adi_async_add(struct adi_execution *p,
                                         enum adi_life_operation operation);
/* Hands the handler over to the implementation. */
int adi_async_produce(struct adi_exported_async *stream);
/* Is the release over, and every other callback? */
bool adi_async_is_over(const struct adi_async_handler *handler);

/* What the harness's own producer pulls. */
int adi_async_make_own(struct adi_exported_async *stream);
/* What an implementation makes its stream of. It is plain. */
int adi_async_make_host(struct adi_exported_async *stream, struct ArrowArrayStream *out);

/* Is the batch as it was made? Else programs have nothing to say of it. */
bool adi_task_is_as_made(const struct adi_execution *p, const struct ArrowArray *values,
                         const struct ArrowDeviceArray *array);
/* Has on_error been called, so that what it has told is there? */
bool adi_async_has_failed(const struct adi_exported_async *stream);
/* Is there a task of the stream in a slot that was not extracted yet? */
bool adi_tasks_held(const struct adi_exported_async *stream);
/* Gives up all of those. */
void adi_tasks_give_up(const struct adi_exported_async *stream);
/* Puts a task that has come into the slot. */
int adi_task_arrive(struct adi_execution *p, struct adi_execution_slot *to,
                    struct adi_exported_async *stream, const struct ArrowAsyncTask *task);

#endif /* ADI_EXECUTION_ASYNC_H */
