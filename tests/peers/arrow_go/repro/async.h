/* SPDX-License-Identifier: Apache-2.0
 *
 * The other party of an asynchronous stream, for the programs beside this: a handler for what cdata
 * exports, and a producer for what it imports.
 */
#ifndef ASYNC_H
#define ASYNC_H

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

static struct party {
    /* A handler: */
    int64_t wanted;           /* it requests in on_schema */
    int gives_up, cancellers; /* extract_data with NULL; so many threads cancel in on_schema */
    int tasks, errors, is_over;
    struct ArrowAsyncDeviceStreamHandler handler;
    /* A producer: */
    int requests, late_requests, is_released;
} other = {.wanted = 1};

/* ---- a handler ---- */

static pthread_barrier_t barrier;

static void *cancel(void *producer) {
    pthread_barrier_wait(&barrier);
    ((struct ArrowAsyncProducer *)producer)->cancel((struct ArrowAsyncProducer *)producer);
    return NULL;
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    pthread_t threads[16];
    schema->release(schema);
    self->producer->request(self->producer, other.wanted);
    if (other.cancellers > 0) pthread_barrier_init(&barrier, NULL, other.cancellers);
    for (int i = 0; i < other.cancellers; i++)
        pthread_create(&threads[i], NULL, cancel, self->producer);
    for (int i = 0; i < other.cancellers; i++) pthread_join(threads[i], NULL);
    return 0;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct ArrowDeviceArray array;
    if (task == NULL) return 0;
    other.tasks++;
    int code = task->extract_data(task, other.gives_up ? NULL : &array);
    if (code == 0 && !other.gives_up) array.array.release(&array.array);
    return code;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    other.errors++;
}

static void on_release(struct ArrowAsyncDeviceStreamHandler *self) {
    other.is_over = 1;
}

/* What Go looks at. */
static struct party *party(void) {
    other.handler =
        (struct ArrowAsyncDeviceStreamHandler){on_schema, on_next_task, on_error, on_release};
    return &other;
}

/* ---- a producer of `n` batches of no columns ---- */

static void on_request(struct ArrowAsyncProducer *self, int64_t n) {
    other.requests++;
    other.late_requests += other.is_released;
}

static void on_cancel(struct ArrowAsyncProducer *self) {}
static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    static const void *no_bitmap[1];
    memset(out, 0, sizeof *out);
    out->device_type = ARROW_DEVICE_CPU;
    out->array.length = 3;
    out->array.n_buffers = 1;
    out->array.buffers = no_bitmap;
    out->array.release = release_array;
    return 0;
}

/* Drives a handler of cdata's to its release. */
static int drive(struct ArrowAsyncDeviceStreamHandler *to, const char *format, int n) {
    static struct ArrowAsyncProducer producer = {ARROW_DEVICE_CPU, on_request, on_cancel};
    struct ArrowAsyncTask task = {extract};
    struct ArrowSchema schema = {format, "", .release = release_schema};
    to->producer = &producer;
    int code = to->on_schema(to, &schema);
    for (int i = 0; i < n && code == 0; i++) code = to->on_next_task(to, &task, NULL);
    if (code == 0) to->on_next_task(to, NULL, NULL);
    to->release(to);
    other.is_released = 1;
    return code;
}

#endif /* ASYNC_H */
