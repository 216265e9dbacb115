/* SPDX-License-Identifier: Apache-2.0 */
#include "async_handler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "async_judge.h"
#include "attribution.h"
#include "grace_period.h"
#include "guard.h"
#include "guarded_input.h"
#include "move.h"

#define STAY_MS 4

/* A callback has only the structure to go by. What was never released stays. */
static struct adi_async_handler *handlers;

static struct adi_async_handler *handler_at(const struct ArrowAsyncDeviceStreamHandler *self) {
    struct adi_async_handler *handler = handlers;
    while (handler != NULL && handler->structure != self) handler = handler->next;
    return handler;
}

/* ---- calling the producer ---- */

static void tell(struct adi_async_handler *handler, const char *rule) {
    if (handler->tell != NULL) handler->tell(handler->context, rule);
}

/* NULL: it may not be called, yet or any more. */
static struct ArrowAsyncProducer *enter(struct adi_async_handler *handler, const char *what) {
    pthread_mutex_lock(&handler->lock);
    struct ArrowAsyncProducer *producer =
        handler->is_releasing || handler->errors > 0 ? NULL : handler->producer;
    if (producer != NULL) handler->calling++;
    pthread_mutex_unlock(&handler->lock);
    if (producer == NULL) return NULL;
    adi_async_call_begins(what);
    return producer;
}

static void leave(struct adi_async_handler *handler) {
    adi_async_call_ends();
    pthread_mutex_lock(&handler->lock);
    handler->calling--;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
}

static void count_request(struct adi_async_handler *handler, int64_t n) {
    pthread_mutex_lock(&handler->lock);
    if (n <= 0)
        handler->has_asked_badly = true;
    else
        handler->has_asked = true;
    if (n > 0) handler->requested += n < INT64_MAX / 4 ? n : INT64_MAX / 4;
    if (!handler->has_cancelled) handler->before_cancel = handler->requested;
    pthread_mutex_unlock(&handler->lock);
}

/* AS-043: request is valid within on_schema and on_next_task. */
static void request(struct adi_async_handler *handler, int64_t n, const char *rule) {
    struct ArrowAsyncProducer *producer = enter(handler, "request");
    if (producer == NULL) return;
    count_request(handler, n);
    if (rule != NULL) tell(handler, rule);
    bool before = adi_attribution_enter(true);
    producer->request(producer, n);
    adi_attribution_enter(before);
    if (rule != NULL) tell(handler, NULL);
    leave(handler);
}

void adi_async_handler_request(struct adi_async_handler *handler, int64_t n) {
    request(handler, n, NULL);
}

/* A request on another thread may still come first until the first cancel has returned. */
static void cancel_once(struct adi_async_handler *handler) {
    struct ArrowAsyncProducer *producer = enter(handler, "cancel");
    if (producer == NULL) return;
    pthread_mutex_lock(&handler->lock);
    handler->is_cancelled = true;
    pthread_mutex_unlock(&handler->lock);
    bool before = adi_attribution_enter(true);
    producer->cancel(producer);
    adi_attribution_enter(before);
    pthread_mutex_lock(&handler->lock);
    handler->has_cancelled = true;
    pthread_mutex_unlock(&handler->lock);
    leave(handler);
}

static void *cancel_here(void *handler) {
    cancel_once(handler);
    return NULL;
}

/* AS-052, AS-053: cancel is idempotent and thread-safe, and does nothing from the second time on.
 */
void adi_async_handler_cancel(struct adi_async_handler *handler) {
    pthread_t threads[8];
    int n = 0, most = handler->conduct.cancels;
    if (most > 1) tell(handler, "async/cancel-not-repeatable");
    while (most > 1 && n < most && n < 8 &&
           pthread_create(&threads[n], NULL, cancel_here, handler) == 0)
        n++;
    if (n == 0) cancel_once(handler);
    while (n > 0) pthread_join(threads[--n], NULL);
    if (most > 1) tell(handler, NULL);
    if (handler->conduct.after_cancel > 0)
        request(handler, handler->conduct.after_cancel, "async/request-after-cancel");
}

/* ---- extracting ---- */

static void keep(struct adi_async_handler *handler, struct ArrowDeviceArray *array,
                 int64_t number) {
    bool kept = handler->n_taken < ADI_ASYNC_TASKS;
    if (kept) {
        struct adi_async_taken *taken = &handler->taken[handler->n_taken++];
        taken->number = number;
        taken->array = *array;
    } else {
        adi_device_array_release(array);
    }
}

static bool is_nothing(const struct ArrowDeviceArray *array) {
    struct ArrowDeviceArray poison;
    memset(&poison, ADI_POISON_BYTE, sizeof poison);
    return array->array.release == NULL ||
           memcmp(&array->array.release, &poison.array.release, sizeof array->array.release) == 0;
}

/* AS-014, AS-015: what is extracted is a copy of the task. */
/* AS-034, AS-036, AS-040: a task that is given up by NULL cleans up what belongs to it. */
static void extract(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                    int64_t number) {
    struct ArrowDeviceArray array;
    bool gives_up = handler->conduct.gives_up || handler->n_taken == ADI_ASYNC_TASKS;
    memset(&array, ADI_POISON_BYTE, sizeof array);
    if (gives_up) tell(handler, "async/give-up-fails");
    bool before = adi_attribution_enter(true);
    int code = task->extract_data(task, gives_up ? NULL : &array);
    adi_attribution_enter(before);
    if (gives_up) tell(handler, NULL);
    if (code == 0 && !gives_up && is_nothing(&array))
        adi_async_handler_report(handler, "async/extracted-nothing", "0, and no array",
                                 "an array, or an error", "extract_data has given nothing");
    else if (code != 0 && gives_up)
        adi_async_handler_report(handler, "async/give-up-fails", "an error", "0",
                                 "extract_data with NULL has failed");
    pthread_mutex_lock(&handler->lock);
    if (code == 0 && !gives_up && !is_nothing(&array)) keep(handler, &array, number);
    if (code != 0) handler->extract_failed = true;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
}

struct elsewhere {
    struct adi_async_handler *handler;
    struct ArrowAsyncTask task;
    int64_t number;
};

static void *extract_here(void *elsewhere_at) {
    struct elsewhere *elsewhere = elsewhere_at;
    extract(elsewhere->handler, &elsewhere->task, elsewhere->number);
    return NULL;
}

static void extract_elsewhere(struct adi_async_handler *handler, const struct ArrowAsyncTask *task,
                              int64_t number) {
    pthread_t thread;
    struct elsewhere elsewhere = {handler, *task, number};
    if (pthread_create(&thread, NULL, extract_here, &elsewhere) == 0)
        pthread_join(thread, NULL);
    else
        extract_here(&elsewhere);
}

bool adi_async_handler_serve(struct adi_async_handler *handler) {
    struct adi_async_kept_task kept = {.number = 0};
    pthread_mutex_lock(&handler->lock);
    if (handler->n_waiting > 0) kept = handler->waiting[--handler->n_waiting];
    handler->calling += kept.number != 0;
    pthread_mutex_unlock(&handler->lock);
    if (kept.number == 0) return false;
    extract(handler, &kept.task, kept.number);
    pthread_mutex_lock(&handler->lock);
    handler->calling--;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
    return true;
}

static bool keep_for_later(struct adi_async_handler *handler, const struct ArrowAsyncTask *task,
                           int64_t number) {
    pthread_mutex_lock(&handler->lock);
    bool kept = handler->n_waiting < ADI_ASYNC_TASKS;
    if (kept) handler->waiting[handler->n_waiting++] = (struct adi_async_kept_task){number, *task};
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
    return kept;
}

/* ---- a callback begins and ends ---- */

/* Who calls at once shows it: each callback takes a while, some longer. */
static void nap(struct adi_async_handler *handler) {
    if (handler->conduct.turns != NULL) {
        adi_turns_point(handler->conduct.turns, false);
        return;
    }
    pthread_mutex_lock(&handler->lock);
    handler->random = handler->random * 6364136223846793005u + 1442695040888963407u;
    unsigned long long some = handler->random >> 33;
    bool is_long = handler->calls <= 2;
    pthread_mutex_unlock(&handler->lock);
    usleep(is_long ? 1500 : (useconds_t)(some % 4 == 0 ? 200 : 20));
}

/* There is one callback that an early release can overlap with: the last one stays until somebody
 * calls, or has had the time to. */
static void stay(struct adi_async_handler *handler) {
    struct adi_grace_period grace = adi_grace_period(STAY_MS);
    bool alone = !pthread_equal(pthread_self(), handler->main_thread);
    while (alone && adi_grace_period_sleep(&grace)) {
        pthread_mutex_lock(&handler->lock);
        alone = handler->within == 1;
        pthread_mutex_unlock(&handler->lock);
    }
}

struct call {
    struct adi_async_handler *handler; /* NULL: it is gone, or not ours */
    bool attributed;
};

static struct call begin(struct ArrowAsyncDeviceStreamHandler *self,
                         enum adi_async_callback callback, bool is_data) {
    struct call call = {handler_at(self), adi_attribution_enter(false)};
    if (call.handler == NULL) return call;
    adi_async_judge(call.handler, callback, is_data);
    if (callback != ADI_ASYNC_RELEASE) nap(call.handler);
    return call;
}

static void end(const struct call *call, enum adi_async_callback callback, bool is_last) {
    struct adi_async_handler *handler = call->handler;
    if (handler != NULL) {
        (is_last && handler->conduct.turns == NULL ? stay : nap)(handler);
        pthread_mutex_lock(&handler->lock);
        handler->within--;
        handler->within_task -= callback == ADI_ASYNC_TASK;
        pthread_cond_broadcast(&handler->changed);
        pthread_mutex_unlock(&handler->lock);
    }
    adi_attribution_enter(call->attributed);
}

/* ---- the callbacks ---- */

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct call call = begin(self, ADI_ASYNC_SCHEMA, false);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return EINVAL;
    const struct adi_async_conduct *conduct = &handler->conduct;
    int code = conduct->schema_refusal;
    if (code == 0 && handler->schema.release == NULL) adi_schema_move(schema, &handler->schema);
    if (code != 0) adi_schema_release(schema);
    pthread_mutex_lock(&handler->lock);
    handler->has_refused_schema = handler->has_refused_schema || code != 0;
    pthread_mutex_unlock(&handler->lock);
    if (conduct->cancels_at == 0) adi_async_handler_cancel(handler);
    if (conduct->asks) request(handler, conduct->at_schema, "async/request-within-callback");
    if (conduct->then > 0) request(handler, conduct->then, "async/request-within-callback");
    end(&call, ADI_ASYNC_SCHEMA, code != 0);
    return code;
}

/* AS-040: the callback is mandatory. */
static bool is_whole(struct adi_async_handler *handler, const struct ArrowAsyncTask *task) {
    if (task->extract_data != NULL) return true;
    adi_async_handler_report(handler, "async/callback-missing", "NULL", "a callback",
                             "extract_data of a task is not there");
    return false;
}

static void take(struct adi_async_handler *handler, struct ArrowAsyncTask *task, int64_t number) {
    enum adi_async_extraction extraction = handler->conduct.extraction;
    if (extraction == ADI_EXTRACT_LATER && keep_for_later(handler, task, number)) return;
    struct ArrowAsyncTask copy = *task;
    if (extraction == ADI_EXTRACT_ELSEWHERE)
        extract_elsewhere(handler, &copy, number);
    else
        extract(handler, &copy, number);
}

static int refuse_task(struct adi_async_handler *handler, struct ArrowAsyncTask *task) {
    struct ArrowAsyncTask copy = *task;
    pthread_mutex_lock(&handler->lock);
    handler->has_refused_task = true;
    pthread_mutex_unlock(&handler->lock);
    bool before = adi_attribution_enter(true);
    copy.extract_data(&copy, NULL);
    adi_attribution_enter(before);
    return handler->conduct.task_refusal;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct call call = begin(self, ADI_ASYNC_TASK, task != NULL);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return EINVAL;
    const struct adi_async_conduct *conduct = &handler->conduct;
    pthread_mutex_lock(&handler->lock);
    int64_t number = task == NULL ? 0 : ++handler->tasks;
    pthread_mutex_unlock(&handler->lock);
    int code = 0;
    adi_async_judge_metadata(handler, metadata, false);
    if (task != NULL && is_whole(handler, task)) {
        if (conduct->cancels_at == number) adi_async_handler_cancel(handler);
        if (conduct->at_task > 0 && conduct->cancels_at == ADI_NEVER)
            request(handler, conduct->at_task, "async/request-within-callback");
        if (conduct->task_refusal != 0)
            code = refuse_task(handler, task);
        else
            take(handler, task, number);
    }
    end(&call, ADI_ASYNC_TASK, task == NULL || code != 0);
    return code;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    struct call call = begin(self, ADI_ASYNC_ERROR, false);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return;
    adi_async_judge_metadata(handler, metadata, true);
    adi_async_judge_error(handler, code, message);
    end(&call, ADI_ASYNC_ERROR, true);
}

/* Within the lock. */
static void await_change(struct adi_async_handler *handler) {
    if (handler->conduct.turns == NULL) {
        pthread_cond_wait(&handler->changed, &handler->lock);
        return;
    }
    pthread_mutex_unlock(&handler->lock);
    adi_turns_point(handler->conduct.turns, true);
    pthread_mutex_lock(&handler->lock);
}

/* A slow release callback is legal: until it has returned the stream has not ended, so that what is
 * held of it can be looked at. What waits is extracted before. */
static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct call call = begin(self, ADI_ASYNC_RELEASE, false);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return;
    bool is_main = pthread_equal(pthread_self(), handler->main_thread);
    int ours = adi_async_call_depth();
    while (is_main && adi_async_handler_serve(handler)) continue;
    pthread_mutex_lock(&handler->lock);
    handler->is_releasing = true;
    pthread_cond_broadcast(&handler->changed);
    while (handler->calling > ours ||
           (!is_main && (handler->n_waiting > 0 || (handler->conduct.holds && !handler->is_let))))
        await_change(handler);
    bool is_first = !handler->is_over;
    if (is_first) self->release = NULL;
    if (is_first) adi_guard_retire(self);
    handler->is_over = true;
    pthread_cond_broadcast(&handler->changed);
    handler->within--;
    struct adi_turns *turns = handler->conduct.turns; /* the handler may be gone at once */
    pthread_mutex_unlock(&handler->lock);
    if (turns != NULL) adi_turns_leave(turns);
    adi_attribution_enter(call.attributed);
}

/* ---- its life ---- */

void adi_async_handler_let(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    handler->is_let = true;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
}

struct ArrowAsyncDeviceStreamHandler *
adi_async_handler_open(struct adi_async_handler *out, const struct adi_async_conduct *conduct,
                       enum adi_async_layout layout, struct adi_sink *sink, uint64_t seed) {
    void (*told)(void *, const char *) = out->tell;
    void *context = out->context;
    memset(out, 0, sizeof *out);
    void *private_data = adi_guard_alloc(ADI_REGION_STRUCTURE, 16, 16, "handler.private_data");
    struct ArrowAsyncDeviceStreamHandler *structure =
        adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof *structure, 16, "the handler");
    if (structure == NULL || private_data == NULL) return NULL;
    *structure = (struct ArrowAsyncDeviceStreamHandler){on_schema, on_next_task, on_error,
                                                        release,   NULL,         private_data};
    if (conduct->has_no_error) structure->on_error = NULL;
    adi_guard_charge(private_data, ADI_CHARGE_TOUCH_HANDLER_PRIVATE);
    adi_guard_retire(private_data);
    adi_guard_charge(structure, ADI_CHARGE_TOUCH_HANDLER);
    out->structure = structure;
    out->original = *structure;
    out->conduct = *conduct;
    out->layout = layout;
    out->sink = sink;
    out->tell = told;
    out->context = context;
    out->random = seed;
    out->main_thread = pthread_self();
    pthread_mutex_init(&out->lock, NULL);
    pthread_cond_init(&out->changed, NULL);
    out->next = handlers;
    handlers = out;
    adi_guard_keep(1);
    return structure;
}

void adi_async_handler_refused(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    handler->is_refused = handler->is_let = true;
    bool is_over = handler->is_over;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
    if (!is_over) adi_guard_stay(handler->structure);
}

void adi_async_handler_close(struct adi_async_handler *handler) {
    struct adi_async_handler **at = &handlers;
    if (handler->structure == NULL) return;
    while (*at != handler) at = &(*at)->next;
    *at = handler->next;
    adi_schema_release(&handler->schema);
    free(handler->metadata);
    pthread_cond_destroy(&handler->changed);
    pthread_mutex_destroy(&handler->lock);
    adi_guard_keep(-1);
    if (!adi_guard_is_kept() && !adi_guarded_any()) adi_guard_reset();
}
