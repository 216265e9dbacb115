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

/* What the harness hands out as "async.schedule": where it makes a difference who goes on. */
struct base_sink_schedule {
    void (*point)(struct base_sink_schedule *, int at, const char *what);
    bool drives; /* nobody blocks, but calls the point that waits */
};

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
    struct base_sink_schedule *schedule;      /* NULL: none */
    struct ArrowAsyncTask kept[BASE_BATCHES]; /* for who extracts later */
    int first, last;                          /* of those: from, and behind the last one */
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
    void (*wait)(struct base_sink *); /* until that is so */
    bool on_its_own;                  /* it does not ask for the schedule */
};
extern struct base_async_consumer base_async_consumer;

/* Gives the adapter the role. */
void base_consumes_async(void);
/* The same; the producer's metadata is read at the offset `reads` when its schema comes, and the
 * adapter says that it is at `says`. */
void base_reads_metadata(size_t reads, uint32_t says);

int base_on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema);
int base_on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                      const char *metadata);
void base_on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                   const char *metadata);
void base_release(struct ArrowAsyncDeviceStreamHandler *self);
/* Extracts, copies and releases. */
int base_take(struct base_sink *sink, struct ArrowAsyncTask *task);

/* Keeps a copy of the task; the same, and requests one more; and extracts the one that was kept
 * first. */
int base_keep_quietly(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                      const char *metadata);
int base_keep(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
              const char *metadata);
bool base_take_kept(struct base_sink *sink);
void base_wait(struct base_sink *sink);
/* The same, and meanwhile all that was kept is extracted. */
void base_wait_and_take(struct base_sink *sink);
/* The same by `take`, which answers whether there was one. */
void base_wait_and_do(struct base_sink *sink, bool (*take)(struct base_sink *));

/* A point between two things; the lock, with points around it; and within it, until something has
 * changed. */
void base_sink_point(struct base_sink *sink);
void base_sink_lock(struct base_sink *sink);
void base_sink_unlock(struct base_sink *sink);
void base_sink_await_change(struct base_sink *sink);

#endif /* BASE_ASYNC_CONSUMER_H */
