/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands between an asynchronous producer and a consumer and holds both to the document: it passes
 * each call on, poisons what has ended, and notes what must not have been. Any threads.
 */
#ifndef ADI_TESTS_ASYNC_OBSERVER_H
#define ADI_TESTS_ASYNC_OBSERVER_H

#include <pthread.h>

#include "async.h"

/* What begins, by the numbers of tests/model/async.pml; of a task `of` is the number, from 0, of a
 * request n. Where it ends, OBSERVED_ENDS is added, and OBSERVED_FAILED if it answers a code. */
enum observed {
    OBSERVED_ON_SCHEMA = 1,
    OBSERVED_ON_NEXT_TASK,
    OBSERVED_ON_END,
    OBSERVED_ON_ERROR,
    OBSERVED_RELEASE,
    OBSERVED_REQUEST,
    OBSERVED_CANCEL,
    OBSERVED_EXTRACT,
    OBSERVED_GONE, /* the producer cannot be called any more; no observer can know */
    OBSERVED_ENDS = 16,
    OBSERVED_FAILED = 32
};

struct observer {
    struct ArrowAsyncDeviceStreamHandler handler; /* for the producer */
    struct ArrowAsyncDeviceStreamHandler inner;   /* for the consumer to fill in */
    enum adi_async_layout layout;
    union adi_any_producer any; /* what the consumer calls */
    struct ArrowAsyncProducer *producer;
    void (*saw)(void *state, int event, int64_t of); /* NULL: nobody wants to know; on the thread
                                                        that is there, one at a time */
    void *state;

    pthread_mutex_t lock; /* of all below */
    int schemas, tasks, ends, errors, releases, extracted, given_up, calls;
    int64_t requested;
    bool is_released, is_cancelled, has_cancelled, has_bad_request, has_refused;
    int within;          /* callbacks of the handler under way */
    pthread_t last_here; /* thread of the latest callback of the handler */
    char error[160];     /* the first thing that must not be; "": nothing */
};

/* `layout` is the producer's. Then the consumer fills `inner` in, and the producer gets `handler`.
 */
void observer_open(struct observer *out, enum adi_async_layout layout);
/* What was wrong: with what has come by now, and if `is_over`, with how it has ended. "": nothing
 */
const char *observer_error(struct observer *observer, bool is_over);

#endif /* ADI_TESTS_ASYNC_OBSERVER_H */
