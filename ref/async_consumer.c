/* SPDX-License-Identifier: Apache-2.0 */
#include "async_consumer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "async_internal.h"
#include "import.h"
#include "last_error.h"
#include "metadata.h"
#include "move.h"

#define FIRST_ROOM 8

/* A task that is yet to be extracted. */
struct kept {
    struct kept *next;
    struct ArrowAsyncTask task;
    int64_t number; /* from 1 */
};

/* What a task has given. */
struct copied {
    int64_t number;
    struct ArrowArray array;
};

struct adi_async_consumer {
    struct adi_async_consume how;

    struct adi_async_lock lock;          /* of all below */
    struct ArrowAsyncProducer *producer; /* NULL: it may not be called, yet or any more */
    int calling;                         /* calls of it that are under way */
    struct kept *first, *last;
    int extracting;
    struct copied *copied; /* in the order in which they came */
    size_t count, room;
    int64_t lost; /* number of the first task that could not be had; 0: none */
    struct ArrowSchema schema;
    struct adi_last_error error;
    bool is_of_extract; /* `error` is what extract_data has answered: on_error has the words */
    struct adi_async_seen seen;
    struct adi_device *devices[];
};

/* ---- calling the producer ---- */

/* Calls of a producer that this thread is within. One that releases the handler there breaks a
 * rule, but must not be waited for. */
static _Thread_local int calling_here;

/* NULL: it may not be called. Else `leave` follows, and release waits for that. */
static struct ArrowAsyncProducer *enter(struct adi_async_consumer *consumer, const char *what) {
    adi_async_lock(&consumer->lock, what);
    struct ArrowAsyncProducer *producer = consumer->producer;
    if (producer != NULL) consumer->calling++;
    adi_async_unlock(&consumer->lock, what);
    if (producer == NULL) return NULL;
    calling_here++;
    adi_async_point(consumer->how.schedule, ADI_ASYNC_BEFORE_CALLBACK, what);
    return producer;
}

static void leave(struct adi_async_consumer *consumer, const char *what) {
    adi_async_point(consumer->how.schedule, ADI_ASYNC_AFTER_CALLBACK, what);
    calling_here--;
    adi_async_lock(&consumer->lock, what);
    consumer->calling--;
    adi_async_changed(&consumer->lock);
    adi_async_unlock(&consumer->lock, what);
}

void adi_async_consumer_request(struct adi_async_consumer *consumer, int64_t n) {
    struct ArrowAsyncProducer *producer = enter(consumer, "request");
    if (producer == NULL) return;
    producer->request(producer, n);
    leave(consumer, "request");
}

void adi_async_consumer_cancel(struct adi_async_consumer *consumer) {
    struct ArrowAsyncProducer *producer = enter(consumer, "cancel");
    if (producer == NULL) return;
    producer->cancel(producer);
    leave(consumer, "cancel");
}

/* ---- extracting ---- */

/* Within the lock. */
static void note_error(struct adi_async_consumer *consumer, int code, const char *text,
                       bool is_of_extract) {
    if (consumer->error.code != 0) return;
    adi_last_error_set(&consumer->error, code, text);
    consumer->is_of_extract = is_of_extract;
}

/* Copies an array to the host and releases it; without devices it is only released. */
static int copy_to_host(struct adi_async_consumer *consumer, struct ArrowDeviceArray *in,
                        struct ArrowArray *out, struct adi_error *error) {
    const struct adi_async_consume *how = &consumer->how;
    int code = 0;
    if (how->n_devices > 0)
        code = adi_consume_on(how->devices, how->n_devices, &consumer->schema, in, out, error);
    adi_device_array_release(in);
    return code;
}

/* Within the lock. */
static int keep_copy(struct adi_async_consumer *consumer, struct ArrowArray *array,
                     int64_t number) {
    if (array->release == NULL) return 0;
    if (consumer->count == consumer->room) {
        size_t room = consumer->room == 0 ? FIRST_ROOM : 2 * consumer->room;
        struct copied *grown = realloc(consumer->copied, room * sizeof *grown);
        if (grown == NULL) return ENOMEM;
        consumer->copied = grown;
        consumer->room = room;
    }
    struct copied *copied = &consumer->copied[consumer->count++];
    copied->number = number;
    adi_array_move(array, &copied->array);
    return 0;
}

static int call_extract(struct adi_async_consumer *consumer, struct ArrowAsyncTask *task,
                        struct ArrowDeviceArray *out) {
    adi_async_point(consumer->how.schedule, ADI_ASYNC_BEFORE_CALLBACK, "extract_data");
    int code = task->extract_data(task, out);
    adi_async_point(consumer->how.schedule, ADI_ASYNC_AFTER_CALLBACK, "extract_data");
    return code;
}

/* Extracts the task, whose only copy in use this is, and keeps what it gives. 0: it is had. */
static int extract(struct adi_async_consumer *consumer, struct ArrowAsyncTask *task,
                   int64_t number) {
    struct ArrowDeviceArray array = {.array = {.release = NULL}};
    struct ArrowArray host = {.release = NULL};
    struct adi_error error = {""};
    if (consumer->how.gives_up) return call_extract(consumer, task, NULL);
    int refused = call_extract(consumer, task, &array);
    int code = refused == 0 ? copy_to_host(consumer, &array, &host, &error) : refused;

    adi_async_lock(&consumer->lock, "extract_data");
    if (code == 0) {
        code = keep_copy(consumer, &host, number);
        if (code != 0) adi_error_set(&error, code, "no memory for a batch");
    }
    if (code != 0) {
        note_error(consumer, code, refused != 0 ? NULL : error.text, refused != 0);
        if (consumer->lost == 0 || number < consumer->lost) consumer->lost = number;
    }
    adi_async_unlock(&consumer->lock, "extract_data");
    adi_array_release(&host);
    if (code != 0 && refused == 0) adi_async_consumer_cancel(consumer);
    return code;
}

/* Afterwards the consumer may be closed by another thread. */
static void extract_and_request(struct adi_async_consumer *consumer, struct ArrowAsyncTask *task,
                                int64_t number) {
    if (extract(consumer, task, number) == 0 && consumer->how.at_once > 0)
        adi_async_consumer_request(consumer, 1);
    adi_async_lock(&consumer->lock, "extracted");
    consumer->extracting--;
    adi_async_changed(&consumer->lock);
    adi_async_unlock(&consumer->lock, "extracted");
}

/* ---- tasks that are kept ---- */

static int keep(struct adi_async_consumer *consumer, const struct ArrowAsyncTask *task,
                int64_t number) {
    struct kept *kept = malloc(sizeof *kept);
    if (kept == NULL) return ENOMEM;
    *kept = (struct kept){NULL, *task, number};
    adi_async_lock(&consumer->lock, "keep");
    if (consumer->first == NULL) {
        consumer->first = consumer->last = kept;
    } else if (consumer->how.extracts == ADI_ASYNC_LAST_FIRST) {
        kept->next = consumer->first;
        consumer->first = kept;
    } else {
        consumer->last->next = kept;
        consumer->last = kept;
    }
    adi_async_changed(&consumer->lock);
    adi_async_unlock(&consumer->lock, "keep");
    return 0;
}

bool adi_async_consumer_step(struct adi_async_consumer *consumer) {
    adi_async_lock(&consumer->lock, "step");
    struct kept *kept = consumer->first;
    if (kept != NULL) {
        consumer->first = kept->next;
        consumer->extracting++;
    }
    adi_async_unlock(&consumer->lock, "step");
    if (kept == NULL) return false;
    extract_and_request(consumer, &kept->task, kept->number);
    free(kept);
    return true;
}

/* Within the lock. */
static bool is_over(const struct adi_async_consumer *consumer) {
    return consumer->seen.is_released && consumer->first == NULL && consumer->extracting == 0;
}

bool adi_async_consumer_is_over(struct adi_async_consumer *consumer) {
    adi_async_lock(&consumer->lock, "look");
    bool over = is_over(consumer);
    adi_async_unlock(&consumer->lock, "look");
    return over;
}

void adi_async_consumer_wait(struct adi_async_consumer *consumer) {
    bool over;
    do {
        while (adi_async_consumer_step(consumer)) continue;
        adi_async_lock(&consumer->lock, "wait");
        while (consumer->first == NULL && !is_over(consumer))
            adi_async_wait(&consumer->lock, "wait");
        over = is_over(consumer);
        adi_async_unlock(&consumer->lock, "wait");
    } while (!over);
}

/* ---- the handler ---- */

/* Replaces what was kept. ENOMEM: there is none now. */
static int keep_metadata(const char *metadata, char **kept) {
    size_t bytes = adi_metadata_bytes(metadata);
    free(*kept);
    *kept = NULL;
    if (metadata == NULL) return 0;
    *kept = malloc(bytes);
    if (*kept == NULL) return ENOMEM;
    memcpy(*kept, metadata, bytes);
    return 0;
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct adi_async_consumer *consumer = self->private_data;
    const struct adi_async_consume *how = &consumer->how;
    adi_async_lock(&consumer->lock, "on_schema");
    consumer->producer = self->producer;
    consumer->seen.has_schema = true;
    int code = keep_metadata(adi_async_metadata(self->producer, how->layout),
                             &consumer->seen.stream_metadata);
    if (code != 0) note_error(consumer, code, "no memory for metadata", false);
    if (code == 0 && how->schema_refusal != 0) {
        code = how->schema_refusal;
        note_error(consumer, code, "the schema was refused", false);
    }
    if (code == 0) adi_schema_move(schema, &consumer->schema);
    adi_async_unlock(&consumer->lock, "on_schema");
    if (code != 0) return code;
    if (how->cancels_schema) adi_async_consumer_cancel(consumer);
    if (how->at_once > 0) adi_async_consumer_request(consumer, how->at_once);
    return 0;
}

static int on_end(struct adi_async_consumer *consumer) {
    adi_async_lock(&consumer->lock, "on_next_task");
    consumer->seen.has_ended = true;
    adi_async_unlock(&consumer->lock, "on_next_task");
    return 0;
}

static int take(struct adi_async_consumer *consumer, struct ArrowAsyncTask *task, int64_t number) {
    if (consumer->how.extracts != ADI_ASYNC_WITHIN) return keep(consumer, task, number);
    adi_async_lock(&consumer->lock, "on_next_task");
    consumer->extracting++;
    adi_async_unlock(&consumer->lock, "on_next_task");
    extract_and_request(consumer, task, number);
    return 0;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct adi_async_consumer *consumer = self->private_data;
    const struct adi_async_consume *how = &consumer->how;
    if (task == NULL) return on_end(consumer);
    adi_async_lock(&consumer->lock, "on_next_task");
    int64_t number = ++consumer->seen.tasks;
    int code = keep_metadata(metadata, &consumer->seen.task_metadata);
    adi_async_unlock(&consumer->lock, "on_next_task");
    if (number == how->cancels_at) adi_async_consumer_cancel(consumer);
    bool refuses = number == how->refuses_at && how->task_refusal != 0;
    if (code == 0 && !refuses) code = take(consumer, task, number);
    if (code == 0 && !refuses) return 0;
    if (!refuses || !how->leaves_refused) call_extract(consumer, task, NULL);
    if (refuses) return how->task_refusal;
    adi_async_lock(&consumer->lock, "on_next_task");
    note_error(consumer, code, "no memory for a task", false);
    if (consumer->lost == 0) consumer->lost = number;
    adi_async_unlock(&consumer->lock, "on_next_task");
    return code;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    struct adi_async_consumer *consumer = self->private_data;
    adi_async_lock(&consumer->lock, "on_error");
    consumer->producer = NULL;
    consumer->seen.has_failed = true;
    keep_metadata(metadata, &consumer->seen.error_metadata);
    if (consumer->is_of_extract)
        adi_last_error_set(&consumer->error, consumer->error.code, message);
    note_error(consumer, code != 0 ? code : EIO, message, false);
    adi_async_unlock(&consumer->lock, "on_error");
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct adi_async_consumer *consumer = self->private_data;
    const struct adi_async_schedule *schedule = consumer->how.schedule;
    int ours = schedule != NULL && schedule->drives ? 0 : calling_here;
    adi_async_lock(&consumer->lock, "release");
    consumer->producer = NULL;
    while (consumer->calling > ours) adi_async_wait(&consumer->lock, "release");
    self->release = NULL;
    consumer->seen.is_released = true;
    adi_async_changed(&consumer->lock);
    adi_async_unlock(&consumer->lock, "release");
}

/* ---- its life ---- */

int adi_async_consumer_open(const struct adi_async_consume *how,
                            struct ArrowAsyncDeviceStreamHandler *handler,
                            struct adi_async_consumer **out, struct adi_error *error) {
    size_t devices_bytes = how->n_devices * sizeof *how->devices;
    struct adi_async_consumer *consumer = calloc(1, sizeof *consumer + devices_bytes);
    if (consumer == NULL) return adi_error_set(error, ENOMEM, "no memory for a consumer");
    int code = adi_async_lock_open(&consumer->lock, how->schedule);
    if (code != 0) {
        free(consumer);
        return adi_error_set(error, code, "no lock: %s", strerror(code));
    }
    consumer->how = *how;
    consumer->how.devices = consumer->devices;
    if (devices_bytes > 0) memcpy(consumer->devices, how->devices, devices_bytes);
    *handler = (struct ArrowAsyncDeviceStreamHandler){on_schema, on_next_task, on_error,
                                                      release,   NULL,         consumer};
    *out = consumer;
    return 0;
}

const struct adi_async_seen *adi_async_consumer_seen(const struct adi_async_consumer *consumer) {
    return &consumer->seen;
}

static int by_number(const void *a, const void *b) {
    int64_t first = ((const struct copied *)a)->number, second = ((const struct copied *)b)->number;
    return (first > second) - (first < second);
}

static void move_result(struct adi_async_consumer *consumer, struct adi_batches *out) {
    bool has_schema = consumer->schema.release != NULL;
    struct adi_error error = {""};
    if (consumer->count > 0)
        qsort(consumer->copied, consumer->count, sizeof *consumer->copied, by_number);
    adi_schema_move(&consumer->schema, &out->schema);
    *(has_schema ? &out->error : &out->schema_error) = consumer->error;
    consumer->error = (struct adi_last_error){0};
    for (size_t i = 0; i < consumer->count; i++) {
        struct copied *copied = &consumer->copied[i];
        if (consumer->lost != 0 && copied->number > consumer->lost) return;
        int code = adi_batches_add(out, &copied->array, 1, &error);
        if (code == 0) continue;
        adi_last_error_set(&out->error, code, error.text);
        return;
    }
}

void adi_async_consumer_close(struct adi_async_consumer *consumer, struct adi_batches *out) {
    if (out != NULL) {
        *out = (struct adi_batches){0};
        move_result(consumer, out);
    }
    for (size_t i = 0; i < consumer->count; i++) adi_array_release(&consumer->copied[i].array);
    free(consumer->copied);
    adi_schema_release(&consumer->schema);
    adi_last_error_clear(&consumer->error);
    free(consumer->seen.stream_metadata);
    free(consumer->seen.task_metadata);
    free(consumer->seen.error_metadata);
    adi_async_lock_close(&consumer->lock);
    free(consumer);
}
