/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <unistd.h>

#include "execution_async.h"
#include "grace_period.h"
#include "play.h"

#define AT_ONCE   50 /* looks, of 100 us each, before it is waited for */
#define MUTED_MS  100
#define BROKEN_MS 200 /* where a rule is broken: nothing is told of what does not come */

bool adi_async_may_call(struct adi_execution_slot *slot, enum adi_life_operation operation) {
    return adi_monitor_call(slot->exported->monitor, 0, slot->array, operation);
}

void adi_async_settle_end(struct adi_execution_slot *slot) {
    adi_execution_slot_empty(slot);
    slot->is_over = true;
}

int adi_async_refuse(struct adi_execution *p, int code, const char *why) {
    p->binding.refuse(p->binding.context);
    return adi_error_set(&p->error, code, "%s", why);
}

/* ---- calling ---- */

struct call {
    struct adi_exported_async *stream;
    bool elsewhere; /* on the helper's thread */
    void (*code)(void *context);
    void *context;
};

/* Where it is called from is where it waits for nobody. */
static void call_from_here(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    handler->main_thread = pthread_self();
    pthread_mutex_unlock(&handler->lock);
}

static void call_here(void *call_at) {
    struct call *call = call_at;
    call_from_here(call->stream->handler);
    call->code(call->context);
}

static void call_somewhere(void *call_at) {
    struct call *call = call_at;
    struct adi_execution *p = call->stream->p;
    if (!call->elsewhere || !adi_helper_call(&p->helper, call_here, call)) call_here(call);
    call_from_here(call->stream->handler);
}

void adi_async_call(struct adi_exported_async *stream, const char *phase, bool elsewhere,
                    void (*code)(void *context), void *context) {
    struct call call = {stream, elsewhere, code, context};
    if (stream->producer != NULL)
        call_somewhere(&call);
    else
        adi_call_code(phase, call_somewhere, &call);
}

static void serve(void *stream_at) {
    while (adi_async_handler_serve(((struct adi_exported_async *)stream_at)->handler)) continue;
}

/* ---- waiting ---- */

static bool look(struct adi_async_handler *handler,
                 bool (*done)(const struct adi_async_handler *)) {
    pthread_mutex_lock(&handler->lock);
    bool is_done = done(handler);
    pthread_mutex_unlock(&handler->lock);
    return is_done;
}

static bool has_waiting(const struct adi_async_handler *handler) {
    return handler->n_waiting > 0;
}

static bool await_own(struct adi_exported_async *stream,
                      bool (*done)(const struct adi_async_handler *)) {
    enum adi_async_step step = ADI_ASYNC_STEPPED;
    while (step == ADI_ASYNC_STEPPED && !look(stream->handler, done)) {
        step = adi_async_producer_step(stream->producer);
        if (stream->handler->conduct.gives_up) serve(stream);
    }
    return look(stream->handler, done);
}

/* Nothing has ever come, or a call of the producer does not return. */
static bool is_stuck(const struct adi_async_handler *handler) {
    return !handler->is_over && (handler->calls == 0 || handler->calling > 0);
}

/* That is a hang, which the watchdog of the run sees. */
static void hang(void *stream_at) {
    const struct adi_exported_async *stream = stream_at;
    while (look(stream->handler, is_stuck)) usleep(1000);
}

/* It is a copy of a task that is given up. */
static void serve_theirs(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    const struct adi_mistake before = p->mistake;
    const char *rule =
        p->async_within == ADI_ASYNC_IS_RIGHT ? "async/task-depends-on-address" : NULL;
    p->binding.tell_crash(p->binding.context, rule);
    if (rule != NULL) p->mistake = adi_mistake(rule, false);
    adi_call_code("extract_data", serve, stream);
    p->mistake = before;
    p->binding.tell_crash(p->binding.context, NULL);
}

static bool is_broken(const struct adi_async_handler *handler) {
    return handler->is_broken;
}

static int64_t calls_of(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    int64_t calls = handler->calls;
    pthread_mutex_unlock(&handler->lock);
    return calls;
}

static int limit_ms(const struct adi_exported_async *stream) {
    if (stream->is_brief || (stream->p->muted && stream->p->n_findings > 0)) return MUTED_MS;
    return look(stream->handler, is_broken) ? BROKEN_MS : stream->p->binding.limit_ms;
}

/* false: in a limit in which nothing else has come either. No step is too long meanwhile: this
 * keeps the time. */
static bool await_theirs(struct adi_exported_async *stream,
                         bool (*done)(const struct adi_async_handler *)) {
    struct adi_async_handler *handler = stream->handler;
    const struct adi_binding *binding = &stream->p->binding;
    struct adi_grace_period grace = adi_grace_period(limit_ms(stream));
    int64_t before = calls_of(handler);
    for (int turn = 0; !look(handler, done); turn++) {
        bool moves = calls_of(handler) != before;
        binding->move_on(binding->context);
        if (handler->conduct.gives_up && look(handler, has_waiting)) {
            serve_theirs(stream);
            moves = true;
        }
        if (moves) {
            before = calls_of(handler);
            grace = adi_grace_period(limit_ms(stream));
        } else if (turn < AT_ONCE) {
            usleep(100);
        } else if (!adi_grace_period_sleep(&grace)) {
            stream->is_starved = grace.is_starved;
            return false;
        }
    }
    return true;
}

bool adi_async_await(struct adi_exported_async *stream,
                     bool (*done)(const struct adi_async_handler *)) {
    if (stream->producer != NULL) return await_own(stream, done);
    if (await_theirs(stream, done)) return true;
    if (stream->p->muted || !look(stream->handler, is_stuck)) return false;
    const struct adi_binding *binding = &stream->p->binding;
    const char *rule = adi_async_handler_hangs(stream->handler);
    if (rule != NULL) binding->tell_crash(binding->context, rule);
    adi_call_code("produce_async", hang, stream);
    if (rule != NULL) binding->tell_crash(binding->context, NULL);
    return await_theirs(stream, done);
}

bool adi_async_has_failed(const struct adi_exported_async *stream) {
    pthread_mutex_lock(&stream->handler->lock);
    bool failed = stream->handler->has_error;
    pthread_mutex_unlock(&stream->handler->lock);
    return failed;
}

static bool is_alone(const struct adi_async_handler *handler) {
    const bool ends = handler->is_releasing || handler->is_over;
    return ends && handler->schemas == 0 && handler->errors == 0 && !handler->is_cancelled;
}

/* AS-007: on_schema is called; ambiguity 35. */
void adi_async_judge_alone(struct adi_exported_async *stream) {
    if (look(stream->handler, is_alone))
        adi_async_handler_report(stream->handler, "async/released-alone", "release",
                                 "on_schema, or on_error",
                                 "the handler was released before anything else had come");
}

int adi_async_give_up_waiting(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    if (stream->producer != NULL)
        return adi_error_set(&p->error, EPROTO, "the harness's producer has stopped");
    if (p->muted || look(stream->handler, is_broken)) return 0;
    p->binding.wait_in_vain(p->binding.context, stream->is_starved);
    if (stream->is_starved) return adi_error_set(&p->error, ETIMEDOUT, "the machine is busy");
    adi_async_handler_report_late(stream->handler);
    return 0;
}
