/* SPDX-License-Identifier: Apache-2.0 */
#include "async_handler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "async_call.h"
#include "async_extract.h"
#include "async_judge.h"
#include "async_kept.h"
#include "async_nap.h"
#include "attribution.h"
#include "grace_period.h"
#include "guard.h"
#include "guarded_input.h"
#include "move.h"
#include "tree.h"

/* A callback has only the structure to go by. What was never released stays. */
static struct adi_async_handler *handlers;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER; /* of those that are open */

/* NULL: where a handler was handed over. The key is never that of two, also one after the other. */
static struct adi_async_handler *look_up(const struct ArrowAsyncDeviceStreamHandler *self,
                                         const void *key) {
    pthread_mutex_lock(&list);
    struct adi_async_handler *handler = handlers;
    while (handler != NULL &&
           (key == NULL ? handler->structure != self : handler->original.private_data != key))
        handler = handler->next;
    pthread_mutex_unlock(&list);
    return handler;
}

/* By where it is; where it was moved, by its key. */
static struct adi_async_handler *handler_at(const struct ArrowAsyncDeviceStreamHandler *self) {
    struct ArrowAsyncDeviceStreamHandler moved;
    struct adi_async_handler *handler = look_up(self, NULL);
    if (handler != NULL || adi_safe_read(&moved, self, sizeof moved) != 0) return handler;
    return moved.private_data == NULL ? NULL : look_up(self, moved.private_data);
}

/* ---- a callback begins and ends ---- */

struct call {
    struct adi_async_handler *handler; /* NULL: it is gone, or not ours; then it is over */
    bool attributed;
};

static struct call begin(struct ArrowAsyncDeviceStreamHandler *self,
                         enum adi_async_callback callback, bool is_data) {
    struct call call = {handler_at(self), adi_attribution_enter(false)};
    if (call.handler == NULL) adi_attribution_enter(call.attributed);
    if (call.handler != NULL) adi_async_judge(call.handler, self, callback, is_data);
    if (call.handler == NULL || callback == ADI_ASYNC_RELEASE) return call;
    adi_async_remember(call.handler), adi_async_nap(call.handler);
    return call;
}

static void end(const struct call *call, enum adi_async_callback callback, bool is_last) {
    struct adi_async_handler *handler = call->handler;
    if (handler != NULL) {
        if (handler->conduct.turns == NULL || callback == ADI_ASYNC_TASK)
            (is_last && handler->conduct.turns == NULL ? adi_async_stay : adi_async_nap)(handler);
        pthread_mutex_lock(&handler->lock);
        handler->within--;
        handler->within_task -= callback == ADI_ASYNC_TASK;
        adi_async_wake(handler);
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
    adi_async_remember(handler);
    pthread_mutex_lock(&handler->lock);
    handler->has_schema = true;
    handler->has_refused_schema = handler->has_refused_schema || code != 0;
    pthread_mutex_unlock(&handler->lock);
    if (conduct->cancels_at == 0) adi_async_handler_cancel(handler);
    if (conduct->asks)
        adi_async_call_request(handler, conduct->at_schema, "async/request-within-callback");
    if (conduct->then > 0)
        adi_async_call_request(handler, conduct->then, "async/request-within-callback");
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
    if (extraction == ADI_EXTRACT_LATER && adi_async_keep(handler, task, number)) return;
    if (extraction == ADI_EXTRACT_ELSEWHERE)
        adi_async_extract_elsewhere(handler, task, number);
    else
        adi_async_extract(handler, task, number);
}

static int refuse_task(struct adi_async_handler *handler, struct ArrowAsyncTask *task) {
    pthread_mutex_lock(&handler->lock);
    handler->has_refused_task = true;
    pthread_mutex_unlock(&handler->lock);
    bool before = adi_attribution_enter(true);
    task->extract_data(task, NULL);
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
            adi_async_call_request(handler, conduct->at_task, "async/request-within-callback");
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
    const void *frame = __builtin_frame_address(0);
    const char *gone = adi_async_find_gone(message, metadata, frame); /* before that is used anew */
    struct call call = begin(self, ADI_ASYNC_ERROR, false);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return;
    adi_async_judge_texts(handler, message, metadata, frame, gone);
    adi_async_judge_metadata(handler, metadata, true);
    adi_async_judge_error(handler, code, message);
    end(&call, ADI_ASYNC_ERROR, true);
}

static bool is_on_main_thread(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    bool is_main = pthread_equal(pthread_self(), handler->main_thread);
    pthread_mutex_unlock(&handler->lock);
    return is_main;
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
 * held of it can be looked at. What waits is extracted before. Whoever releases when the last task
 * is extracted does so within a call of this thread's own, which goes on. */
static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct call call = begin(self, ADI_ASYNC_RELEASE, false);
    struct adi_async_handler *handler = call.handler;
    if (handler == NULL) return;
    bool is_main = is_on_main_thread(handler);
    int ours = adi_async_call_depth() + adi_async_extracting();
    while (is_main && adi_async_handler_serve(handler)) continue;
    pthread_mutex_lock(&handler->lock);
    handler->is_releasing = true;
    adi_async_wake(handler);
    while (handler->calling > ours ||
           (!is_main && (handler->n_waiting > 0 || (handler->conduct.holds && !handler->is_let))))
        await_change(handler);
    bool is_first = !handler->is_over;
    if (is_first) self->release = NULL;
    if (is_first) adi_guard_retire(handler->structure);
    handler->is_over = true;
    adi_async_wake(handler);
    handler->within--;
    struct adi_turns *turns = handler->conduct.turns; /* the handler may be gone at once */
    pthread_mutex_unlock(&handler->lock);
    if (turns != NULL && ours == 0) adi_turns_leave(turns);
    adi_attribution_enter(call.attributed);
}

/* ---- its life ---- */

void adi_async_handler_refuse(struct adi_async_handler *handler, int code) {
    pthread_mutex_lock(&handler->lock);
    handler->conduct.task_refusal = code;
    pthread_mutex_unlock(&handler->lock);
}

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
    struct ArrowAsyncDeviceStreamHandler *structure = out->structure;
    memset(out, 0, sizeof *out);
    void *private_data = adi_guard_alloc(ADI_REGION_PRIVATE, 16, 16, "handler.private_data");
    if (structure == NULL)
        structure = adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof *structure, 16, "the handler");
    if (structure == NULL || private_data == NULL) return NULL;
    *structure = (struct ArrowAsyncDeviceStreamHandler){on_schema, on_next_task, on_error,
                                                        release,   NULL,         private_data};
    if (conduct->has_no_error) structure->on_error = NULL;
    adi_guard_charge(private_data, ADI_CHARGE_TOUCH_HANDLER_PRIVATE);
    adi_guard_retire(private_data);
    adi_guard_charge(structure, ADI_CHARGE_TOUCH_HANDLER);
    adi_guard_charge_free(structure, ADI_CHARGE_TOUCH_FREED_HANDLER);
    out->structure = out->at = structure;
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
    pthread_mutex_lock(&list);
    out->next = handlers;
    handlers = out;
    pthread_mutex_unlock(&list);
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
    pthread_mutex_lock(&list);
    while (*at != handler) at = &(*at)->next;
    *at = handler->next;
    pthread_mutex_unlock(&list);
    adi_async_forget(handler);
    adi_schema_release(&handler->schema);
    free(handler->metadata);
    pthread_cond_destroy(&handler->changed);
    pthread_mutex_destroy(&handler->lock);
    adi_guard_keep(-1);
    if (!adi_guard_is_kept() && !adi_guarded_any()) adi_guard_reset();
}
