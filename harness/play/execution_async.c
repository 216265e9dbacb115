/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to asynchronous streams.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "execution_async.h"
#include "move.h"
#include "play.h"
#include "schema.h"

#define ENOUGH 1000 /* batches */

static struct adi_exported_async *stream_of(const struct adi_execution_slot *slot) {
    return slot->exported->own;
}

/* ---- what is called, and waited for ---- */

static void request(void *stream_at) {
    adi_async_handler_request(((struct adi_exported_async *)stream_at)->handler, 1);
}

/* Nobody asks again: of a stream that is cut anew there is more left than its end. */
static void request_rest(void *stream_at) {
    adi_async_handler_request(((struct adi_exported_async *)stream_at)->handler, ENOUGH);
}

static void cancel(void *stream_at) {
    adi_async_handler_cancel(((struct adi_exported_async *)stream_at)->handler);
}

/* The release is held until the program ends the stream: a task that a slot has is extracted before
 * (ambiguity 18). */
static bool is_releasing(const struct adi_async_handler *handler) {
    return handler->is_releasing || handler->is_over;
}

static bool has_begun(const struct adi_async_handler *handler) {
    return handler->has_schema || handler->has_error || is_releasing(handler);
}

/* A task, or nothing any more. */
static bool has_come(const struct adi_async_handler *handler) {
    return handler->n_waiting > 0 || handler->ends > 0 || handler->has_error ||
           is_releasing(handler);
}

static bool has_refused(const struct adi_async_handler *handler) {
    return handler->has_refused_task || handler->ends > 0 || handler->has_error ||
           is_releasing(handler);
}

/* ---- what comes ---- */

/* An error that nobody has given a reason for says that it cannot be done. */
static int refuse_error(struct adi_exported_async *stream) {
    const struct adi_async_handler *handler = stream->handler;
    char text[sizeof handler->error_text + 32];
    snprintf(text, sizeof text, "on_error: %d: %s", handler->error_code, handler->error_text);
    return adi_async_refuse(stream->p, handler->error_code, text);
}

static int look_at_schema(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    struct adi_error why = {""};
    const struct ArrowSchema *schema = &stream->handler->schema;
    if (schema->release == NULL) return 0;
    if (p->binding.look_at_schema(p->binding.context, schema) != 0)
        return adi_error_set(&p->error, EINVAL, "the schema is unsound");
    if (adi_schema_compare_type(schema, &p->schema, &why) != 0)
        adi_report(&p->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s",
                   why.text);
    return 0;
}

/* ---- the end ---- */

/* Was all requested that there is, or on_next_task refused? */
static bool comes_to_its_end(struct adi_exported_async *stream) {
    pthread_mutex_lock(&stream->handler->lock);
    const int64_t requested = stream->handler->requested;
    pthread_mutex_unlock(&stream->handler->lock);
    return requested >= (int64_t)stream->n || stream->refused;
}

/* Where the end, or an error, comes by itself a cancel would only race with it. A producer may look
 * for it when it is asked for more. */
static void bring_about(void *stream_at) {
    struct adi_exported_async *stream = stream_at;
    const bool ends = comes_to_its_end(stream);
    if (!ends && !stream->cancelled) cancel(stream);
    if (ends && !stream->refused && !stream->cancelled) request_rest(stream);
    if (stream->producer != NULL) adi_async_await(stream, adi_async_is_over);
}

static int judge_end(struct adi_exported_async *stream) {
    const struct adi_async_handler *handler = stream->handler;
    const bool has_reason =
        stream->fails || handler->is_cancelled || handler->extract_failed || stream->refused;
    if (stream->p->n_findings > 0 || stream->p->muted) return 0;
    if (handler->errors > 0 && !has_reason) return refuse_error(stream);
    return handler->tasks <= (int64_t)stream->n
               ? 0
               : adi_async_refuse(stream->p, ENOTSUP,
                                  "the stream has more batches than it was "
                                  "made of");
}

static int end(struct adi_execution *p, struct adi_execution_slot *slot) {
    if (!adi_async_may_call(slot, ADI_DO_release)) return 0;
    struct adi_exported_async *stream = stream_of(slot);
    stream->handler->conduct.gives_up = true;
    adi_async_handler_let(stream->handler);
    adi_async_call(stream, "cancel", p->elsewhere, bring_about, stream);
    if (!adi_async_await(stream, adi_async_is_over)) {
        slot->lives = false;
        return adi_async_give_up_waiting(stream);
    }
    slot->exported->gone = true;
    adi_async_settle_end(slot);
    if (!slot->exported->theirs) return 0;
    adi_guard_charge(slot->array, ADI_CHARGE_TOUCH_HANDLER);
    if (p->n_findings == 0) ADI_TRY(look_at_schema(stream));
    if (stream->handler->schema.release != NULL) adi_call_release_schema(&stream->handler->schema);
    stream->handler->schema.release = NULL;
    return judge_end(stream);
}

/* ---- beginning ---- */

/* Lays the handler out in the slot. */
static int lay_out(struct adi_execution *p, struct adi_execution_slot *slot,
                   struct adi_exported_async *stream) {
    const struct adi_async_conduct conduct = {.cancels_at = ADI_NEVER,
                                              .cancels = 1,
                                              .extraction = ADI_EXTRACT_LATER,
                                              .source_fails = stream->fails,
                                              .holds = true,
                                              .is_quick = true};
    const struct adi_kind *kind = &adi_kinds[ADI_KIND_handler];
    size_t first;
    adi_execution_slot_fill(slot);
    stream->handler->structure = (struct ArrowAsyncDeviceStreamHandler *)(void *)slot->array;
    if (adi_async_handler_open(stream->handler, &conduct, p->binding.layout, &stream->sink,
                               p->seed) == NULL) {
        adi_execution_slot_empty(slot);
        return adi_error_set(&p->error, ENOMEM, "the guarded memory is full");
    }
    adi_export_settle(slot, stream->self, kind, &p->schema, NULL);
    ADI_TRY(adi_monitor_add(&stream->monitor, kind, slot->array, &first));
    if (stream->fails) adi_monitor_arrive(&stream->monitor, 0, ADI_IS_async_failing);
    return 0;
}

/* ---- operations ---- */

static int begin_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                        struct adi_exported_async *stream) {
    ADI_TRY(adi_exports_pause(p, stream->pending));
    int code = adi_async_produce(stream);
    if (code != 0) {
        adi_monitor_arrive(&stream->monitor, 0, ADI_IS_async_over); /* nobody releases it */
        adi_execution_slot_empty(slot);
        return code;
    }
    if (!adi_async_await(stream, has_begun)) return adi_async_give_up_waiting(stream);
    adi_async_judge_alone(stream);
    if (p->n_findings > 0) return 0;
    if (adi_async_has_failed(stream) && !stream->fails) return refuse_error(stream);
    return look_at_schema(stream);
}

static int begin_own(struct adi_exported_async *stream) {
    ADI_TRY(adi_async_make_own(stream));
    return adi_async_await(stream, has_begun) ? 0 : adi_async_give_up_waiting(stream);
}

static int do_begin(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_execution_may_receive(slot, step->operation)) return 0;
    const bool theirs = p->binding.produce_async != NULL;
    struct adi_exported_async *stream = adi_async_add(p, step->operation);
    if (stream == NULL) return ENOMEM;
    stream->self->end = end;
    ADI_TRY(lay_out(p, slot, stream));
    return theirs ? begin_theirs(p, slot, stream) : begin_own(stream);
}

/* Is there a stream that may be called so? */
static bool may_call(struct adi_execution_slot *slot, enum adi_life_operation operation) {
    if (!slot->lives && !slot->is_over && !adi_guard_touch(slot->array)) return false;
    return adi_async_may_call(slot, operation);
}

static int do_request(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!may_call(slot, step->operation)) return 0;
    if (slot->exported->theirs) ADI_TRY(adi_exports_pause(p, stream_of(slot)->pending));
    adi_async_call(stream_of(slot), "request", false, request, stream_of(slot));
    return 0;
}

static int do_cancel(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!may_call(slot, step->operation)) return 0;
    stream_of(slot)->cancelled = true;
    adi_async_call(stream_of(slot), "cancel", false, cancel, stream_of(slot));
    return 0;
}

/* It has come to its end, or to an error, before what was waited for. Of one that ends too early
 * the scenarios have to say which rows it has lost. */
static int judge_early(struct adi_exported_async *stream) {
    const struct adi_execution *p = stream->p;
    if (p->n_findings > 0) return 0;
    if (adi_async_has_failed(stream)) return refuse_error(stream);
    return adi_async_refuse(stream->p, ENOTSUP, "the stream has fewer batches than it was made of");
}

/* Ambiguity 45: the next task may come only when those before it were extracted. Then it does come
 * once they are given up; else it was waited for in vain. */
static bool await_task(struct adi_exported_async *stream,
                       bool (*done)(const struct adi_async_handler *), int *code) {
    struct adi_execution *p = stream->p;
    const bool held = stream->producer == NULL && adi_tasks_held(stream);
    stream->is_brief = p->one_task_at_once && held;
    bool comes = adi_async_await(stream, done), refuses = false;
    stream->is_brief = false;
    if (comes) return true;
    if (held && !stream->is_starved) {
        adi_tasks_give_up(stream);
        if (p->n_findings > 0) return false;
        p->one_task_at_once = refuses = adi_async_await(stream, done);
    }
    *code = refuses ? adi_async_refuse(p, ENOTSUP,
                                       "the stream has the next task only when the one before it "
                                       "was extracted, as it may")
                    : adi_async_give_up_waiting(stream);
    return false;
}

static int do_next(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    struct adi_async_kept_task kept;
    if (!slot->lives && !slot->is_over && !adi_guard_touch(slot->array)) return 0;
    if (!adi_execution_may(slot, step->operation, slot->array) ||
        !adi_execution_may_receive(to, ADI_DO_receive) || !may_call(slot, step->operation))
        return 0;
    struct adi_exported_async *stream = stream_of(slot);
    int code = 0;
    if (!await_task(stream, has_come, &code)) return code;
    if (!adi_async_handler_take(stream->handler, &kept)) return judge_early(stream);
    return adi_task_arrive(p, to, stream, &kept.task);
}

static int do_refuse(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!may_call(slot, step->operation)) return 0;
    struct adi_exported_async *stream = stream_of(slot);
    stream->refused = true;
    adi_async_handler_refuse(stream->handler, EIO);
    adi_async_call(stream, "request", false, request, stream);
    int code = 0;
    if (!await_task(stream, has_refused, &code)) return code;
    return stream->handler->has_refused_task ? 0 : judge_early(stream);
}

/* Illegal wherever it can be done. */
static int do_never(struct adi_execution *p, const struct adi_step *step) {
    may_call(&p->slots[step->slot], step->operation);
    return 0;
}

/* ---- what a failure would be ---- */

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    (void)p;
    if (!stream_of(slot)->cancelled) return NULL;
    return operation == ADI_DO_async_cancel    ? "async/cancel-not-repeatable"
           : operation == ADI_DO_async_request ? "async/request-after-cancel"
                                               : NULL;
}

const struct adi_acts adi_acts_async = {&adi_kinds[ADI_KIND_handler],
                                        cause,
                                        {
                                            {ADI_DO_async_begin, do_begin},
                                            {ADI_DO_async_begin_pending, do_begin},
                                            {ADI_DO_async_begin_failing, do_begin},
                                            {ADI_DO_async_request, do_request},
                                            {ADI_DO_async_request_none, do_never},
                                            {ADI_DO_async_next, do_next},
                                            {ADI_DO_async_refuse, do_refuse},
                                            {ADI_DO_async_cancel, do_cancel},
                                            {ADI_DO_async_call_at_end, do_never},
                                            {.act = NULL},
                                        }};
