/* SPDX-License-Identifier: Apache-2.0
 *
 * A small, correct asynchronous producer on the CPU, for the mutants to spoil in one place each: a
 * thread a stream, deep copies, the shipped layout. The end is told without a request; after a
 * cancel what is requested is still delivered. It shares no code with ref/.
 */
#ifndef BASE_ASYNC_H
#define BASE_ASYNC_H

#include <pthread.h>
#include <stdbool.h>

#include "implementation.h"

/* What the harness hands out as "async.schedule": where it makes a difference who goes on. */
struct base_schedule {
    void (*point)(struct base_schedule *, int at, const char *what);
    bool drives; /* nobody blocks, but calls the point that waits */
};

/* The first of them is what the consumer calls. */
struct base_stream {
    union {
        struct ArrowAsyncProducer producer;
        struct { /* the layout that the document prints */
            ArrowDeviceType device_type;
            void (*request)(struct ArrowAsyncProducer *, int64_t);
            void (*cancel)(struct ArrowAsyncProducer *);
            void (*release)(struct ArrowAsyncProducer *);
            const char *additional_metadata;
            void *private_data;
        } published;
    } any;
    struct ArrowAsyncDeviceStreamHandler *handler;
    struct ArrowArrayStream source;
    struct ArrowSchema schema;
    struct ArrowArray chunk; /* pulled */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t requested, delivered;
    int users;                      /* the thread, and tasks that are not extracted */
    struct base_schedule *schedule; /* NULL: none */
    bool is_cancelled, has_ended, has_schema;
    int error;
};

struct base_task {
    struct base_stream *stream;
    struct ArrowDeviceArray array;
    int64_t number;
};

/* What can be replaced. */
struct base_async {
    void (*request)(struct ArrowAsyncProducer *, int64_t);
    void (*cancel)(struct ArrowAsyncProducer *);
    int (*extract)(struct ArrowAsyncTask *, struct ArrowDeviceArray *);
    int (*pull)(struct base_stream *); /* an error, or 0: a chunk, or the end */
    /* Callbacks of the handler, and what is around them. */
    int (*tell_schema)(struct base_stream *, struct ArrowSchema *);
    int (*tell_task)(struct base_stream *, struct base_task *); /* NULL: the end */
    void (*tell_error)(struct base_stream *, int code);
    void (*release)(struct base_stream *);
    /* Is there room for a further task? With the lock. */
    bool (*may_deliver)(struct base_stream *);
    /* After a refusal; answers whether to go on with the release. */
    void (*refused)(struct base_stream *, int code);
    void (*opened)(struct base_stream *); /* (optional) */
    bool within;                          /* what can be done within the hand-over is done there */
    bool on_its_own;                      /* it does not ask for the schedule */
    bool pooled;                          /* one thread serves all streams, one after the other */
    bool published;                       /* the layout */
};
extern struct base_async base_async;

/* Gives the adapter the role. */
void base_plays_async(void);

/* A point between two things. */
void base_point(struct base_stream *stream);
/* The lock, with a point before and one behind it; and within it, until something has changed. */
void base_lock(struct base_stream *stream);
void base_unlock(struct base_stream *stream);
void base_await_change(struct base_stream *stream);

int base_produce_async(struct adi_adapter *, ArrowDeviceType, int64_t device_id,
                       struct ArrowArrayStream *host, struct ArrowAsyncDeviceStreamHandler *);
void base_request(struct ArrowAsyncProducer *self, int64_t n);
void base_cancel(struct ArrowAsyncProducer *self);
int base_extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out);
int base_pull(struct base_stream *stream);
int base_tell_schema(struct base_stream *stream, struct ArrowSchema *schema);
int base_tell_task(struct base_stream *stream, struct base_task *task);
void base_tell_error(struct base_stream *stream, int code);
void base_release_handler(struct base_stream *stream);
bool base_may_deliver(struct base_stream *stream);
/* Pulls, delivers and ends, as far as that goes; `blocks`: waits for requests. false: it waits. */
bool base_go_on(struct base_stream *stream, bool blocks);
/* The task with the chunk at hand, which counts as delivered. NULL: out of memory. */
struct base_task *base_make_task(struct base_stream *stream);

#endif /* BASE_ASYNC_H */
