/* SPDX-License-Identifier: Apache-2.0
 *
 * A small, correct asynchronous consumer on the CPU, for the mutants to spoil in one place each: it
 * extracts each task within its call, copies the batch, and requests one more. It shares no code
 * with ref/.
 */
#ifndef BASE_ASYNC_CONSUMER_H
#define BASE_ASYNC_CONSUMER_H

#include <pthread.h>
#include <stdbool.h>

#include "implementation.h"

#define BASE_BATCHES 64

struct base_sink {
    struct ArrowAsyncProducer *producer;
    struct ArrowSchema schema;
    struct ArrowArray batches[BASE_BATCHES];
    int n;
    int64_t at_once;
    int error;
    bool is_over;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* What can be replaced: the callbacks of the handler, and what is done before its end is told. */
struct base_async_consumer {
    int (*on_schema)(struct ArrowAsyncDeviceStreamHandler *, struct ArrowSchema *);
    int (*on_next_task)(struct ArrowAsyncDeviceStreamHandler *, struct ArrowAsyncTask *,
                        const char *metadata);
    void (*on_error)(struct ArrowAsyncDeviceStreamHandler *, int code, const char *message,
                     const char *metadata);
    void (*release)(struct ArrowAsyncDeviceStreamHandler *);
    void (*over)(struct base_sink *); /* (optional) when all has come */
};
extern struct base_async_consumer base_async_consumer;

/* Gives the adapter the role. */
void base_consumes_async(void);

int base_on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema);
int base_on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                      const char *metadata);
void base_on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                   const char *metadata);
void base_release(struct ArrowAsyncDeviceStreamHandler *self);
/* Extracts, copies and releases. */
int base_take(struct base_sink *sink, struct ArrowAsyncTask *task);

#endif /* BASE_ASYNC_CONSUMER_H */
