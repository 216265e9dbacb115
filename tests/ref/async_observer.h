/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands between an asynchronous producer and a consumer and holds both to the document: it passes
 * each call on, poisons what has ended, and notes what must not have been. Any threads.
 */
#ifndef ADI_TESTS_ASYNC_OBSERVER_H
#define ADI_TESTS_ASYNC_OBSERVER_H

#include <pthread.h>

#include "async.h"

struct observer {
    struct ArrowAsyncDeviceStreamHandler handler; /* for the producer */
    struct ArrowAsyncDeviceStreamHandler inner;   /* for the consumer to fill in */
    enum adi_async_layout layout;
    union adi_any_producer any; /* what the consumer calls */
    struct ArrowAsyncProducer *producer;

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
