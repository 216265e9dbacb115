/* SPDX-License-Identifier: Apache-2.0 */
#include "async_producer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async_internal.h"
#include "last_error.h"
#include "metadata.h"
#include "move.h"
#include "stream_whole.h"

/* Tasks that are not extracted keep it alive, for what is locked and for what they answer. */
struct adi_async_producer {
    union adi_any_producer any; /* first: what the consumer calls */
    atomic_size_t references;
    struct adi_async_produce how;
    struct ArrowAsyncDeviceStreamHandler *handler;

    struct adi_async_lock lock;         /* of these: */
    int64_t requested, delivered, live; /* tasks; live: not extracted */
    bool is_cancelled, is_released;
    struct adi_last_error error; /* on_error is owed */
    struct task *spare;          /* tasks that were extracted, for the next chunks */
    const struct task *current;  /* what on_next_task is called with; NULL: it is extracted */

    /* Of the thread that steps: */
    struct ArrowDeviceArrayStream in;
    struct ArrowDeviceArray chunk; /* pulled; released: none */
    int64_t pulled_after_cancel;
    bool has_schema, has_ended, has_told_end, is_done; /* is_done: only release may follow */
    int refusal;

    bool has_thread;
    pthread_t thread;
};

struct task {
    struct adi_async_producer *of;
    int64_t number; /* from 1; 0: it is extracted */
    struct ArrowDeviceArray array;
    struct task *next; /* spare */
};

static void free_options(const struct adi_async_produce *how) {
    const char *const copies[] = {how->stream_metadata, how->task_metadata, how->error_metadata,
                                  how->extract_text};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) free((void *)(uintptr_t)copies[i]);
}

static void drop(struct adi_async_producer *producer) {
    if (atomic_fetch_sub_explicit(&producer->references, 1, memory_order_acq_rel) > 1) return;
    adi_async_lock_close(&producer->lock);
    while (producer->spare != NULL) {
        struct task *task = producer->spare;
        producer->spare = task->next;
        free(task);
    }
    adi_last_error_clear(&producer->error);
    free_options(&producer->how);
    free(producer);
}

/* Within the lock. The first error is the one that is told. */
static void note_error(struct adi_async_producer *producer, int code, const char *text) {
    if (producer->error.code == 0) adi_last_error_set(&producer->error, code, text);
}

/* ---- what the consumer calls ---- */

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct adi_async_producer *producer = (void *)self;
    char text[64];
    adi_async_lock(&producer->lock, "request");
    if (producer->is_cancelled || producer->is_released) {
        /* It does nothing. */
    } else if (n <= 0) {
        snprintf(text, sizeof text, "request(%" PRId64 "): n has to be above 0", n);
        note_error(producer, EINVAL, text);
    } else {
        int64_t most = INT64_MAX - producer->requested;
        producer->requested += n < most ? n : most;
    }
    adi_async_changed(&producer->lock);
    adi_async_unlock(&producer->lock, "request");
}

static void cancel(struct ArrowAsyncProducer *self) {
    struct adi_async_producer *producer = (void *)self;
    adi_async_lock(&producer->lock, "cancel");
    producer->is_cancelled = true;
    adi_async_changed(&producer->lock);
    adi_async_unlock(&producer->lock, "cancel");
}

/* Within the lock: takes the task's array out. False: somebody has done that. */
static bool take_array(struct task *task, struct ArrowDeviceArray *array) {
    struct adi_async_producer *producer = task->of;
    if (task->number == 0) return false;
    adi_device_array_move(&task->array, array);
    task->number = 0;
    task->next = producer->spare;
    producer->spare = task;
    producer->live--;
    if (producer->current == task) producer->current = NULL;
    return true;
}

static int extract_data(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct task *task = self->private_data;
    struct adi_async_producer *producer = task->of;
    const struct adi_async_produce *how = &producer->how;
    struct ArrowDeviceArray array;
    adi_async_lock(&producer->lock, "extract_data");
    int code = out != NULL && task->number == how->extract_fails_at ? how->extract_code : 0;
    bool is_first = take_array(task, &array);
    if (is_first && code != 0 && !producer->is_released)
        note_error(producer, code, how->extract_text);
    adi_async_changed(&producer->lock);
    adi_async_unlock(&producer->lock, "extract_data");
    if (!is_first) return EINVAL;
    if (out != NULL && code == 0)
        adi_device_array_move(&array, out);
    else
        adi_device_array_release(&array);
    drop(producer);
    return code;
}

/* ---- steps ---- */

/* A text that ends with the call that it is a parameter of; without memory there is none. */
static char *copy_metadata(const char *metadata) {
    size_t bytes = adi_metadata_bytes(metadata);
    char *copy = metadata == NULL ? NULL : malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, metadata, bytes);
}

static void before(struct adi_async_producer *producer, const char *callback) {
    adi_async_point(producer->how.schedule, ADI_ASYNC_BEFORE_CALLBACK, callback);
}

static void after(struct adi_async_producer *producer, const char *callback) {
    adi_async_point(producer->how.schedule, ADI_ASYNC_AFTER_CALLBACK, callback);
}

static void refuse(struct adi_async_producer *producer, int code) {
    if (code == 0) return;
    producer->refusal = code;
    producer->is_done = true;
}

/* A stream that is cancelled has nothing to say any more. */
static void stream_failed(struct adi_async_producer *producer, int code) {
    struct adi_last_error error = {0};
    adi_last_error_of_device_stream(&producer->in, code, &error);
    adi_async_lock(&producer->lock, "error");
    if (!producer->is_cancelled) note_error(producer, code, error.text);
    adi_async_unlock(&producer->lock, "error");
    producer->has_ended = true;
    adi_last_error_clear(&error);
}

static void tell_schema(struct adi_async_producer *producer) {
    struct ArrowAsyncDeviceStreamHandler *handler = producer->handler;
    struct ArrowSchema schema;
    producer->has_schema = true;
    int code = producer->in.get_schema(&producer->in, &schema);
    if (code != 0) {
        stream_failed(producer, code);
        return;
    }
    before(producer, "on_schema");
    refuse(producer, handler->on_schema(handler, &schema));
    adi_schema_release(&schema);
    after(producer, "on_schema");
}

static void pull(struct adi_async_producer *producer) {
    struct ArrowDeviceArray chunk;
    adi_async_lock(&producer->lock, "pull");
    producer->pulled_after_cancel += producer->is_cancelled;
    adi_async_unlock(&producer->lock, "pull");
    int code = producer->in.get_next(&producer->in, &chunk);
    if (code != 0)
        stream_failed(producer, code);
    else if (chunk.array.release == NULL)
        producer->has_ended = true;
    else
        adi_device_array_move(&chunk, &producer->chunk);
}

/* `object` is gone when the callback has returned. */
static int tell_task(struct adi_async_producer *producer, struct task *task) {
    struct ArrowAsyncDeviceStreamHandler *handler = producer->handler;
    struct ArrowAsyncTask object = {extract_data, task};
    char *metadata = copy_metadata(producer->how.task_metadata);
    before(producer, "on_next_task");
    int code = handler->on_next_task(handler, task == NULL ? NULL : &object, metadata);
    memset(&object, 0, sizeof object);
    free(metadata);
    after(producer, "on_next_task");
    return code;
}

/* Within the lock. NULL: there is no memory. */
static struct task *new_task(struct adi_async_producer *producer) {
    struct task *task = producer->spare;
    if (task == NULL) return malloc(sizeof *task);
    producer->spare = task->next;
    return task;
}

static void deliver(struct adi_async_producer *producer) {
    adi_async_lock(&producer->lock, "deliver");
    struct task *task = new_task(producer);
    if (task == NULL) {
        note_error(producer, ENOMEM, "no memory for a task");
    } else {
        producer->delivered++;
        producer->live++;
        producer->current = task;
        *task = (struct task){.of = producer, .number = producer->delivered};
    }
    adi_async_unlock(&producer->lock, "deliver");
    if (task == NULL) return;
    atomic_fetch_add_explicit(&producer->references, 1, memory_order_relaxed);
    adi_device_array_move(&producer->chunk, &task->array);
    int code = tell_task(producer, task);
    refuse(producer, code);
    adi_async_lock(&producer->lock, "deliver");
    bool is_ours = code != 0 && producer->how.takes_back && producer->current == task;
    producer->current = NULL;
    adi_async_unlock(&producer->lock, "deliver");
    if (is_ours) extract_data(&(struct ArrowAsyncTask){.private_data = task}, NULL);
}

static void tell_end(struct adi_async_producer *producer) {
    producer->has_told_end = true;
    refuse(producer, tell_task(producer, NULL));
}

static void tell_error(struct adi_async_producer *producer) {
    struct ArrowAsyncDeviceStreamHandler *handler = producer->handler;
    adi_async_lock(&producer->lock, "error");
    struct adi_last_error error = producer->error;
    producer->error = (struct adi_last_error){.code = error.code};
    adi_async_unlock(&producer->lock, "error");
    producer->is_done = true;
    char *metadata = copy_metadata(producer->how.error_metadata);
    before(producer, "on_error");
    handler->on_error(handler, error.code, error.text, metadata);
    free(metadata);
    adi_last_error_clear(&error);
    after(producer, "on_error");
}

static void release_handler(struct adi_async_producer *producer) {
    struct ArrowAsyncDeviceStreamHandler *handler = producer->handler;
    adi_device_array_release(&producer->chunk);
    adi_device_array_stream_release(&producer->in);
    before(producer, "release");
    handler->release(handler);
    producer->handler = NULL;
    after(producer, "release");
}

static void nothing(struct adi_async_producer *producer) {
    (void)producer;
}

static const struct action {
    enum adi_async_step step;
    void (*act)(struct adi_async_producer *producer);
} tells_schema = {ADI_ASYNC_STEPPED, tell_schema}, pulls = {ADI_ASYNC_STEPPED, pull},
  delivers = {ADI_ASYNC_STEPPED, deliver}, tells_end = {ADI_ASYNC_STEPPED, tell_end},
  tells_error = {ADI_ASYNC_STEPPED, tell_error}, releases = {ADI_ASYNC_STEPPED, release_handler},
  waits = {ADI_ASYNC_WAITING, nothing}, is_over = {ADI_ASYNC_OVER, nothing};

static const struct action *release_or_wait(const struct adi_async_producer *producer) {
    return producer->how.releases_after_tasks && producer->live > 0 ? &waits : &releases;
}

/* Where the stream has ended, or need not be asked any more. */
static const struct action *next_at_end(const struct adi_async_producer *producer) {
    bool is_owed = !producer->is_cancelled || producer->how.ends_after_cancel;
    return is_owed && !producer->has_told_end ? &tells_end : release_or_wait(producer);
}

/* Within the lock. */
static const struct action *next(const struct adi_async_producer *producer) {
    bool is_requested = producer->requested > producer->delivered;
    bool has_chunk = producer->chunk.array.release != NULL;
    if (producer->handler == NULL) return &is_over;
    if (producer->is_done) return release_or_wait(producer);
    if (producer->error.code != 0) return &tells_error;
    if (!producer->has_schema) return &tells_schema;
    if (has_chunk && is_requested) return &delivers;
    if (producer->has_ended) return next_at_end(producer);
    if (producer->is_cancelled)
        return !has_chunk && is_requested &&
                       producer->pulled_after_cancel < producer->how.after_cancel
                   ? &pulls
                   : next_at_end(producer);
    if (has_chunk || (producer->how.pulls_late && !is_requested)) return &waits;
    return &pulls;
}

/* What is next is decided and, if it is the release, noted in one go: an extract_data that fails
 * is either told by on_error, or comes later. */
static const struct action *look(struct adi_async_producer *producer, bool blocks) {
    adi_async_lock(&producer->lock, "step");
    const struct action *action = next(producer);
    while (blocks && action == &waits) {
        adi_async_wait(&producer->lock, "step");
        action = next(producer);
    }
    if (action == &releases) producer->is_released = true;
    adi_async_unlock(&producer->lock, "step");
    return action;
}

enum adi_async_step adi_async_producer_step(struct adi_async_producer *producer) {
    const struct action *action = look(producer, false);
    action->act(producer);
    return action->step;
}

void adi_async_producer_run(struct adi_async_producer *producer) {
    const struct action *action;
    do {
        action = look(producer, true);
        action->act(producer);
    } while (action != &is_over);
}

static void *run(void *producer) {
    adi_async_producer_run(producer);
    return NULL;
}

int adi_async_producer_start(struct adi_async_producer *producer, struct adi_error *error) {
    int code = pthread_create(&producer->thread, NULL, run, producer);
    if (code != 0) return adi_error_set(error, code, "no thread: %s", strerror(code));
    producer->has_thread = true;
    return 0;
}

void adi_async_producer_join(struct adi_async_producer *producer) {
    if (producer->has_thread) pthread_join(producer->thread, NULL);
    producer->has_thread = false;
}

int adi_async_producer_refusal(const struct adi_async_producer *producer) {
    return producer->refusal;
}

/* ---- its life ---- */

static int copy_options(const struct adi_async_produce *from, struct adi_async_produce *to,
                        struct adi_error *error) {
    *to = *from;
    to->stream_metadata = copy_metadata(from->stream_metadata);
    to->task_metadata = copy_metadata(from->task_metadata);
    to->error_metadata = copy_metadata(from->error_metadata);
    to->extract_text = from->extract_text == NULL ? NULL : strdup(from->extract_text);
    if ((from->stream_metadata == NULL) == (to->stream_metadata == NULL) &&
        (from->task_metadata == NULL) == (to->task_metadata == NULL) &&
        (from->error_metadata == NULL) == (to->error_metadata == NULL) &&
        (from->extract_text == NULL) == (to->extract_text == NULL))
        return 0;
    free_options(to);
    return adi_error_set(error, ENOMEM, "no memory for metadata");
}

static int check(const struct ArrowDeviceArrayStream *in,
                 const struct ArrowAsyncDeviceStreamHandler *handler, struct adi_error *error) {
    ADI_TRY(adi_device_stream_check(in, error));
    if (handler->on_schema == NULL || handler->on_next_task == NULL || handler->on_error == NULL ||
        handler->release == NULL)
        return adi_error_set(error, EINVAL, "a callback of the handler is NULL");
    return 0;
}

int adi_async_producer_open(const struct adi_async_produce *how, struct ArrowDeviceArrayStream *in,
                            struct ArrowAsyncDeviceStreamHandler *handler,
                            struct adi_async_producer **out, struct adi_error *error) {
    static const struct adi_async_produce usual;
    ADI_TRY(check(in, handler, error));
    struct adi_async_producer *producer = calloc(1, sizeof *producer);
    if (producer == NULL) return adi_error_set(error, ENOMEM, "no memory for a producer");
    int code = copy_options(how == NULL ? &usual : how, &producer->how, error);
    if (code != 0) {
        free(producer);
        return code;
    }
    code = adi_async_lock_open(&producer->lock, producer->how.schedule);
    if (code != 0) {
        free_options(&producer->how);
        free(producer);
        return adi_error_set(error, code, "no lock: %s", strerror(code));
    }
    atomic_init(&producer->references, 1);
    const struct adi_shipped_producer members = {in->device_type, request, cancel,
                                                 producer->how.stream_metadata, producer};
    adi_async_fill(producer->how.layout, &members, &producer->any);
    adi_device_array_stream_move(in, &producer->in);
    producer->handler = handler;
    handler->producer = &producer->any.producer;
    *out = producer;
    return 0;
}

void adi_async_producer_close(struct adi_async_producer *producer) {
    if (producer == NULL) return;
    cancel(&producer->any.producer);
    adi_async_producer_join(producer);
    adi_async_producer_run(producer);
    drop(producer);
}
