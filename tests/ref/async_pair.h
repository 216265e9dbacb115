/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of asynchronous streams: a source on the CPU, the producer and the consumer of
 * ref/, and the observer between them.
 */
#ifndef ADI_TESTS_ASYNC_PAIR_H
#define ADI_TESTS_ASYNC_PAIR_H

#include "async_consumer.h"
#include "async_observer.h"
#include "async_producer.h"
#include "source.h"

struct pair {
    struct observer observer;
    struct adi_async_producer *producer;
    struct adi_async_consumer *consumer;
};

/* Copies of the options are made with the observer between; `devices` of `consume` may be left
 * out: it is the CPU then. */
void pair_open(struct pair *out, const struct adi_source_plan *plan,
               const struct adi_async_produce *produce, const struct adi_async_consume *consume);
/* One thread: steps the producer, and the consumer where that waits. False: both wait. */
bool pair_drive(struct pair *pair);
/* Gives all back, after the end. Fails the test if anything was wrong. */
void pair_close(struct pair *pair, const char *about, struct adi_batches *out);

/* Fails the test unless the first `chunks` chunks of the plan have come, and nothing else. */
void pair_judge(const struct adi_source_plan *plan, size_t chunks, const struct adi_batches *seen,
                const char *about);

/* Encodes a pair into `out`, of 64 bytes, and returns it. */
const char *pair_metadata(const char *key, const char *value, char *out);

#endif /* ADI_TESTS_ASYNC_PAIR_H */
