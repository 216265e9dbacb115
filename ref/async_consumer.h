/* SPDX-License-Identifier: Apache-2.0
 *
 * The asynchronous consumer: fills one handler in, requests, extracts each task exactly once, and
 * keeps copies on the host of what came. Who may call what on which thread: async.h.
 *
 * Its callbacks may come at once when the handler is handed over, from any thread, one at a time.
 * on_schema moves the schema out and requests; on_next_task extracts the task, or copies it for
 * `step`; on_error and release call nobody. What was passed to a callback is copied, and not looked
 * at afterwards; neither is the producer once release has begun, which waits until a request or
 * cancel of the consumer's that is under way has returned.
 */
#ifndef ADI_ASYNC_CONSUMER_H
#define ADI_ASYNC_CONSUMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "async.h"
#include "batches.h"
#include "device.h"
#include "error.h"

struct adi_async_consumer;

/* When a task is extracted. */
enum adi_async_extract {
    ADI_ASYNC_WITHIN,     /* within on_next_task */
    ADI_ASYNC_LATER,      /* by `step`, in order */
    ADI_ASYNC_LAST_FIRST, /* by `step`, the latest first */
};

struct adi_async_consume {
    enum adi_async_layout layout; /* of the producer */
    /* To copy to the host with, open until the last task was extracted; on whichever thread does
     * that (async.h). None: arrays are released unread. */
    struct adi_device *const *devices;
    size_t n_devices;

    int64_t at_once; /* requested in on_schema; then, once a task is extracted, one more. 0: nothing
                        is requested but by adi_async_consumer_request */
    enum adi_async_extract extracts;
    bool gives_up; /* extract_data is called with NULL */

    int64_t cancels_at;  /* from 1: cancels within on_next_task of this task, before it is
                            extracted; 0: does not */
    bool cancels_schema; /* cancels within on_schema */
    int schema_refusal;  /* on_schema answers this code, and leaves the schema alone. 0: none */
    int64_t refuses_at;  /* from 1: on_next_task of this task answers the code, and gives it up */
    int task_refusal;    /* 0: none */
    bool leaves_refused; /* ... and does not give it up: ambiguity 15 */

    struct adi_async_schedule *schedule; /* NULL: none */
};

/* What else was seen. */
struct adi_async_seen {
    int64_t tasks;                                          /* that came */
    bool has_schema, has_ended, has_failed, is_released;    /* on_schema, NULL, on_error, release */
    char *stream_metadata, *task_metadata, *error_metadata; /* copies, of the latest; or NULL */
};

/* Fills `handler` in, which stays where it is, and is not touched when its release has returned.
 * The options are not needed afterwards; the schedule and the devices are. The caller owns `*out`,
 * until the release has come, or for ever if the handler was handed to nobody. ENOMEM. */
int adi_async_consumer_open(const struct adi_async_consume *how,
                            struct ArrowAsyncDeviceStreamHandler *handler,
                            struct adi_async_consumer **out, struct adi_error *error);

/* Extracts a task that was kept, on this thread. False: there is none now. */
bool adi_async_consumer_step(struct adi_async_consumer *consumer);
/* Steps until the handler is released and each task extracted, and blocks in between. */
void adi_async_consumer_wait(struct adi_async_consumer *consumer);
/* The same without blocking: is it released, and each task extracted? */
bool adi_async_consumer_is_over(struct adi_async_consumer *consumer);

/* Calls the producer, any thread; before on_schema and once release has begun they do nothing. */
void adi_async_consumer_request(struct adi_async_consumer *consumer, int64_t n);
void adi_async_consumer_cancel(struct adi_async_consumer *consumer);

/* Once it is over: what came. */
const struct adi_async_seen *adi_async_consumer_seen(const struct adi_async_consumer *consumer);
/* Once it is over, or if the handler was handed to nobody: moves the schema, the batches in the
 * order of their tasks up to the first that could not be had, and the error into `*out` (NULL: they
 * are given back), and frees the rest. What was given up is left out. The code of an error of
 * extract_data gets the text of the on_error that followed. A stream that failed before on_schema,
 * or whose schema was refused, has it in `schema_error`. */
void adi_async_consumer_close(struct adi_async_consumer *consumer, struct adi_batches *out);

#endif /* ADI_ASYNC_CONSUMER_H */
