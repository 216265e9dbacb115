/* SPDX-License-Identifier: Apache-2.0
 *
 * The asynchronous producer: drives one handler with the chunks of a device stream (stream.h). Who
 * may call what on which thread: async.h.
 *
 * It pulls a chunk, holds it until it was requested, and hands it out in a task. It ends in release
 * of the handler, in one of these ways:
 *  - the stream ends: on_next_task with NULL, without a request and using none up (ambiguity 14);
 *  - the stream fails, n of a request is not above 0, memory runs out, or extract_data of a task
 *    has failed: on_error. If it was get_schema that failed, on_schema is not called;
 *  - on_schema or on_next_task answers a code: nothing else is called;
 *  - cancel: a chunk that is pulled and requested is still delivered. What the stream says after
 *    that is no error. Nothing is called but release.
 * An extract_data that fails when the handler is released is told by its answer alone.
 *
 * A chunk costs no allocation but its own: tasks that were extracted are used again. extract_data
 * of one that was extracted is EINVAL until then, while the producer lives.
 *
 * If on_schema has left its schema live, the producer releases it, whatever the answer.
 */
#ifndef ADI_ASYNC_PRODUCER_H
#define ADI_ASYNC_PRODUCER_H

#include "abi.h"
#include "async.h"
#include "error.h"

struct adi_async_producer;

/* What is left open to a producer, each 0 for what most do. Metadata is encoded as in ArrowSchema
 * (metadata.h), or NULL, and is copied. */
struct adi_async_produce {
    enum adi_async_layout layout;
    const char *stream_metadata; /* additional_metadata */
    const char *task_metadata;   /* with each task and the end; ends with the call */
    const char *error_metadata;  /* ends with the call */

    bool pulls_late;        /* nothing that was not requested: the end comes with one request more
                               than there are chunks */
    int64_t after_cancel;   /* so many requested chunks are pulled after the cancel; of a stream
                               without end this must not be INT64_MAX */
    bool ends_after_cancel; /* the end is told after a cancel too */
    bool takes_back;        /* a task that on_next_task has refused and not extracted: ambiguity
                               15. Nobody may extract a copy of it later. */
    bool releases_after_tasks; /* the handler is released when all tasks were extracted */

    int64_t extract_fails_at; /* from 1: extract_data of this task answers a code, unless it is
                                 given up. 0: none */
    int extract_code;
    const char *extract_text;

    struct adi_async_schedule *schedule; /* NULL: none */
};

/* Moves from `in`, and sets `handler->producer`. No callback is called yet. `how` NULL: all 0; it
 * is not needed afterwards, but for the schedule. The caller owns `*out`, drives it, and closes it;
 * the handler stays where it is until its release has returned. ENOMEM; EINVAL: `in` is released,
 * or a callback of the handler is NULL. On failure nothing is touched. */
int adi_async_producer_open(const struct adi_async_produce *how, struct ArrowDeviceArrayStream *in,
                            struct ArrowAsyncDeviceStreamHandler *handler,
                            struct adi_async_producer **out, struct adi_error *error);

enum adi_async_step {
    ADI_ASYNC_STEPPED, /* something was done: a callback was called, or a chunk was pulled */
    ADI_ASYNC_WAITING, /* there is nothing to do before a request, a cancel or an extract_data */
    ADI_ASYNC_OVER,    /* the handler is released */
};

/* Does the next thing. One thread at a time; callbacks of the handler, of the stream and the
 * functions of its devices are called on it. Not within a callback. */
enum adi_async_step adi_async_producer_step(struct adi_async_producer *producer);
/* Steps until it is over, and blocks where it waits. */
void adi_async_producer_run(struct adi_async_producer *producer);
/* Begins to `run` on a thread of its own; then nobody else steps. An errno value of
 * pthread_create: nothing has begun. */
int adi_async_producer_start(struct adi_async_producer *producer, struct adi_error *error);

/* Waits for that thread, which has ended then. */
void adi_async_producer_join(struct adi_async_producer *producer);

/* The code that on_schema or on_next_task has answered; 0: none. Once it is over, or on the thread
 * that steps. */
int adi_async_producer_refusal(const struct adi_async_producer *producer);

/* Cancels and runs what is not over, or waits for the thread that runs it, and gives all back but
 * what tasks hold that are not extracted yet. `handler->producer` is valid until then: a cancel
 * that overlaps with the handler's release is safe if it has returned by now (ambiguity 28). NULL:
 * nothing to do. */
void adi_async_producer_close(struct adi_async_producer *producer);

#endif /* ADI_ASYNC_PRODUCER_H */
