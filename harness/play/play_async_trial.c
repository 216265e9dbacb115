/* SPDX-License-Identifier: Apache-2.0
 *
 * An asynchronous stream of which the harness is the consumer, from its hand-over to its release.
 */
#include "play_async.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grace_period.h"
#include "move.h"

#define LIMIT_MS 5000 /* that a callback may be waited for, where a step has no limit */
#define BROKEN_MS                                                                                  \
    200               /* the same, where a rule is broken: nothing is told of what does not come   \
                       */
#define IDLE_TURNS 10 /* of 250 us: each wakes somebody up */
#define TURN_US    250
#define IDLE_MS    8  /* then one more batch is requested */
#define AFTER_MS   10 /* that is looked whether something comes that must not */
#define AFTER_LONG 50 /* the same, a few times */
#define LONG_TIMES 4
#define LEAVE_MS   1000 /* that a callback may run on when the handler is released */

/* ---- calls ---- */

static void call_produce(void *trial_at) {
    struct adi_async_trial *trial = trial_at;
    struct adi_test *test = trial->test;
    struct adi_adapter *adapter = test->adapter;
    trial->code = adapter->produce_async(adapter, test->device->ops->type, test->device->id,
                                         &trial->source, trial->handler->structure);
}

static void call_serve(void *handler) {
    while (adi_async_handler_serve(handler)) continue;
}

static void call_request(void *handler) {
    adi_async_handler_request(handler, 1);
}

static void call_cancel(void *handler) {
    adi_async_handler_cancel(handler);
}

/* What all follows from is what a crash comes of, where nothing else is told. */
static void on_tell(void *trial_at, const char *rule) {
    struct adi_test *test = ((struct adi_async_trial *)trial_at)->test;
    const struct adi_rule *all = test->mistake.of_all ? test->mistake.rule : NULL;
    adi_play_crash_rule(test, rule == NULL && all != NULL ? all->id : rule);
}

/* ---- waiting ---- */

struct sight {
    int64_t calls, tasks, requested;
    size_t waiting;
    int calling, within;
    bool has_begun, has_failed, has_asked_badly, has_ended, is_releasing, is_broken, is_gone,
        is_over;
};

static struct sight look_at(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    struct sight sight = {handler->calls,
                          handler->tasks,
                          handler->requested,
                          handler->n_waiting,
                          handler->calling,
                          handler->within,
                          handler->schemas > 0,
                          handler->errors > 0,
                          handler->has_asked_badly,
                          handler->ends > 0 || handler->errors > 0 || handler->is_cancelled ||
                              handler->has_refused_schema || handler->has_refused_task ||
                              handler->has_asked_badly,
                          handler->is_releasing,
                          handler->is_broken,
                          handler->is_gone,
                          handler->is_over};
    pthread_mutex_unlock(&handler->lock);
    return sight;
}

/* A slow producer is no wrong one: it is given half of what a step may take before it is told what
 * it has not done. On a busy machine it is more. */
static int limit_ms(const struct adi_async_trial *trial) {
    int64_t step_ns = trial->test->step_ns;
    if (look_at(trial->handler).is_broken) return BROKEN_MS;
    return step_ns > 0 ? (int)(step_ns / 2000000) : LIMIT_MS;
}

/* What comes behind a mistake is not looked at; where a task has failed, others need not be whole.
 */
static void look(struct adi_async_trial *trial) {
    struct adi_async_handler *handler = trial->handler;
    if (handler->is_broken)
        trial->sound = false;
    else if (!handler->extract_failed)
        trial->sound = adi_async_look(trial->test, handler, &trial->wanted, trial->rule);
    if (trial->sound && trial->fields && handler->schema.release != NULL)
        adi_exported_fields(trial->test, &handler->schema, &trial->wanted.schema);
}

/* What has come since the last time. */
static void look_at_events(struct adi_async_trial *trial) {
    struct adi_async_handler *handler = trial->handler;
    for (; trial->seen < handler->n_taken && trial->sound; trial->seen++)
        trial->sound = adi_async_judge_event(trial->test, handler, &handler->taken[trial->seen]);
}

/* What is held is looked at before the release returns. */
static void look_and_let(struct adi_async_trial *trial) {
    trial->was_held = trial->handler->conduct.holds;
    if (trial->was_held) {
        if (trial->hold == ADI_ASYNC_ALL)
            trial->sound = adi_async_judge_events(trial->test, trial->handler, trial->first);
        if (trial->hold != ADI_ASYNC_UNREAD && trial->sound) look(trial);
        adi_async_let_go(trial->test, trial->handler, trial->sound);
    }
    adi_async_handler_let(trial->handler);
}

/* Does something about what has come. false: there is nothing to do. A task whose call has been
 * over for a while is over for its producer, too. */
static bool act(struct adi_async_trial *trial, const struct sight *now, bool is_idle,
                bool *is_let) {
    if (now->waiting > 0) {
        if (!is_idle && !now->is_releasing) return false;
        adi_call_code("extract_data", call_serve, trial->handler);
        if (trial->hold == ADI_ASYNC_EACH) look_at_events(trial);
        return true;
    }
    if (!now->is_releasing || *is_let) return false;
    *is_let = true;
    if (!now->is_over) look_and_let(trial);
    return true;
}

/* Until the handler is released. false: that has not come in a limit in which nothing else has come
 * either. No step is too long meanwhile: this keeps the time. */
static bool await(struct adi_async_trial *trial) {
    struct adi_grace_period grace = adi_grace_period(limit_ms(trial)),
                            idle = adi_grace_period(IDLE_MS);
    struct sight before = look_at(trial->handler);
    bool is_let = false;
    for (int turn = 0;; turn++) {
        struct sight now = look_at(trial->handler);
        adi_log_move_on(trial->test->log);
        if (now.is_over) return true;
        bool moves = act(trial, &now, turn >= IDLE_TURNS, &is_let) || now.calls != before.calls;
        if (moves) {
            before = now;
            turn = 0;
            grace = adi_grace_period(limit_ms(trial));
            idle = adi_grace_period(IDLE_MS);
        } else if (turn < IDLE_TURNS) {
            usleep(TURN_US);
        } else if (now.has_begun && !now.has_ended && !now.is_gone && now.requested <= now.tasks &&
                   !adi_grace_period_sleep(&idle)) {
            if (trial->hold == ADI_ASYNC_EACH && trial->seen > 0)
                adi_queue_hold(trial->test, true, true);
            adi_play_step(trial->test, "request", "1");
            adi_call_code("request", call_request, trial->handler);
            idle = adi_grace_period(IDLE_MS);
        } else if (!adi_grace_period_sleep(&grace)) {
            trial->is_starved = grace.is_starved;
            return false;
        }
    }
}

/* Nothing has ever come, or a call of the producer does not return: that is a hang, which the
 * watchdog of the run sees. */
static void hang(void *trial_at) {
    struct adi_async_trial *trial = trial_at;
    while (look_at(trial->handler).calls == 0 || look_at(trial->handler).calling > 0) usleep(1000);
}

/* AS-050: the release alone is no error, nor is the end. */
static void judge_bad_request(struct adi_async_trial *trial, bool over) {
    struct adi_async_handler *handler = trial->handler;
    if (look_at(handler).is_broken) return;
    if (!over) adi_play_waited(trial->test);
    adi_async_handler_report(handler, "async/bad-request-accepted",
                             over ? "the release" : "nothing, for a while", "on_error",
                             "request was called with an n that is not above 0");
    if (over) return;
    adi_play_step(trial->test, "cancel", "it is not waited for any longer");
    adi_call_code("cancel", call_cancel, handler);
    await(trial);
}

static void await_all(struct adi_async_trial *trial) {
    struct adi_test *test = trial->test;
    struct adi_async_handler *handler = trial->handler;
    bool over = await(trial);
    struct sight now = look_at(handler);
    if (!over && (now.calls == 0 || now.calling > 0)) {
        const char *rule = adi_async_handler_hangs(handler);
        if (rule != NULL) on_tell(trial, rule);
        adi_call_code("produce_async", hang, trial);
        if (rule != NULL) on_tell(trial, NULL);
        over = await(trial);
        now = look_at(handler);
    }
    if (!over && trial->is_starved && !now.is_broken) {
        adi_play_starved(test);
        return;
    }
    if (now.has_asked_badly && !now.has_failed) judge_bad_request(trial, over);
    now = look_at(handler);
    if (now.is_over || now.is_broken) return;
    adi_play_waited(test);
    adi_async_handler_report_late(handler);
}

/* ---- a trial ---- */

static enum adi_async_layout layout_of(const struct adi_test *test) {
    enum adi_async_layout layout = ADI_ASYNC_SHIPPED;
    adi_async_layout_at(test->adapter->async_layout, &layout);
    return layout;
}

bool adi_async_trial_open(struct adi_test *test, const struct adi_async_conduct *conduct,
                          const struct adi_async_design *design, struct adi_async_trial *trial) {
    *trial = (struct adi_async_trial){.test = test, .rule = "array/data-differs", .sound = true};
    struct adi_async_handler *handler = trial->handler = calloc(1, sizeof *trial->handler);
    if (handler != NULL) {
        handler->tell = on_tell;
        handler->context = trial;
    }
    if (handler == NULL || adi_async_handler_open(handler, conduct, layout_of(test), &test->sink,
                                                  test->seed) == NULL) {
        adi_play_error(test, "no handler", &(struct adi_error){"out of memory"});
        return false;
    }
    return adi_async_source(test, design, &trial->source) &&
           adi_async_column_make(test, design, &trial->wanted);
}

/* No document lets a producer call what it has refused. Who refuses one thing often refuses many.
 */
static void judge_refusal(struct adi_async_trial *trial) {
    static int times;
    struct adi_async_handler *handler = trial->handler;
    struct adi_grace_period grace = adi_grace_period(times++ < LONG_TIMES ? AFTER_LONG : AFTER_MS);
    adi_play_refused(trial->test, trial->code);
    adi_async_handler_refused(handler);
    adi_array_stream_release(&trial->source);
    while (look_at(handler).calls == 0 && adi_grace_period_sleep(&grace)) continue;
    while (look_at(handler).calls > 0 && !look_at(handler).is_over &&
           adi_grace_period_sleep(&grace))
        continue;
    if (look_at(handler).calls > 0)
        adi_async_handler_report(handler, "async/called-after-failure", "a callback", "none",
                                 "produce_async has failed, and callbacks were called");
}

/* Says who has answered what: of the text an adapter may know nothing. */
static void refuse(struct adi_async_trial *trial, const char *call, int code, const char *words) {
    char text[ADI_FINDING_SIZE];
    const char *why = *words != '\0' ? words : adi_call_error(trial->test->adapter);
    snprintf(text, sizeof text, "%s%s%.400s", call, *why == '\0' ? "" : ": ", why);
    adi_play_refused_so(trial->test, code, text);
}

/* A task that cannot be extracted, and nobody has given a reason for: what it has to give is what
 * the implementation cannot do. */
static bool refuses_task(struct adi_async_trial *trial) {
    const struct adi_async_handler *handler = trial->handler;
    if (!handler->extract_failed || handler->conduct.source_fails || handler->has_asked_badly ||
        handler->is_cancelled || handler->is_broken)
        return false;
    adi_play_step(trial->test, "extract_data", "%s", strerror(handler->extract_code));
    refuse(trial, "extract_data of the producer has answered an error", handler->extract_code, "");
    return true;
}

/* An error that nobody has given a reason for says that the implementation cannot do it. */
static void judge_error(struct adi_async_trial *trial) {
    const struct adi_async_handler *handler = trial->handler;
    if (refuses_task(trial)) return;
    bool has_reason = handler->conduct.source_fails || handler->has_asked_badly ||
                      handler->is_cancelled || handler->extract_failed;
    if (handler->errors == 0 || has_reason || handler->is_broken) return;
    if (handler->conduct.is_known) {
        adi_async_handler_report(trial->handler, "async/request-ignored", "on_error",
                                 "the batches, as with other requests",
                                 "what was requested ends in an error");
        return;
    }
    adi_play_step(trial->test, "on_error", "%d: %s", handler->error_code, handler->error_text);
    refuse(trial, "the producer has called on_error", handler->error_code, handler->error_text);
}

/* What could only be seen when all was over. */
/* AS-007: on_schema is called; ambiguity 35. */
static void judge_whole(struct adi_async_trial *trial) {
    struct adi_async_handler *handler = trial->handler;
    /* The same stream has come whole, and nothing was done to it since that it may fail for. */
    bool copies = handler->conduct.extraction != ADI_EXTRACT_WITHIN && handler->conduct.is_known &&
                  !handler->is_cancelled;
    if (!handler->is_over) return;
    bool is_alone = handler->schemas == 0 && handler->errors == 0 && !handler->is_cancelled;
    if (is_alone && handler->conduct.source_fails)
        adi_async_handler_report(handler, "async/source-error-lost", "release",
                                 "on_error, and then release",
                                 "what the stream is made from has failed");
    if (is_alone)
        adi_async_handler_report(handler, "async/released-alone", "release",
                                 "on_schema, or on_error",
                                 "the handler was released before anything else had come");
    if (copies && handler->extract_failed && !handler->conduct.source_fails)
        adi_async_handler_report(handler, "async/task-depends-on-address", "an error", "0",
                                 "a copy of a task could not be extracted");
}

/* Whoever calls when it is over is within it for a while. */
static bool is_left(struct adi_async_handler *handler) {
    struct adi_grace_period grace = adi_grace_period(LEAVE_MS);
    while (look_at(handler).within > 0 && adi_grace_period_sleep(&grace)) continue;
    return look_at(handler).within == 0;
}

void adi_async_trial_close(struct adi_async_trial *trial) {
    struct adi_test *test = trial->test;
    struct adi_async_handler *handler = trial->handler;
    struct sight now = {.is_over = true};
    if (trial->is_handed_over) now = look_at(handler);
    bool may_come = !now.is_over && (trial->code == 0 || now.calls > 0);
    if (may_come || (handler != NULL && !is_left(handler))) {
        test->over = true; /* it may still be called */
    } else if (handler != NULL) {
        adi_async_let_go(test, handler, trial->sound);
        adi_async_handler_close(handler);
        free(handler);
    }
    adi_array_stream_release(&trial->source);
    adi_column_free(&trial->wanted);
}

/* It may be in use all the same: it stays. */
static void judge_left(struct adi_async_trial *trial) {
    adi_inputs_judge_taken(&trial->test->sink, "stream", false);
    trial->source.release = NULL;
}

static void set_asked(struct adi_async_handler *handler, bool is_asked) {
    pthread_mutex_lock(&handler->lock);
    handler->is_asked = is_asked;
    pthread_mutex_unlock(&handler->lock);
}

bool adi_async_trial_produce(struct adi_async_trial *trial) {
    struct adi_test *test = trial->test;
    adi_play_step(test, "produce_async", "%zu batches", trial->wanted.n);
    trial->is_handed_over = true;
    set_asked(trial->handler, true);
    adi_call_code("produce_async", call_produce, trial);
    set_asked(trial->handler, false);
    if (trial->code != 0)
        judge_refusal(trial);
    else if (trial->source.release != NULL)
        judge_left(trial);
    else
        return true;
    return false;
}

void adi_async_trial_end(struct adi_async_trial *trial) {
    struct adi_test *test = trial->test;
    await_all(trial);
    judge_whole(trial);
    judge_error(trial);
    test->judged = !test->refused && !test->skipped;
}

void adi_async_trial_look(struct adi_async_trial *trial) {
    if (trial->handler->is_over && trial->sound) look(trial);
}

void adi_async_trial_count(struct adi_async_trial *trial) {
    const struct adi_async_handler *handler = trial->handler;
    if (handler->is_over && !handler->is_broken && !handler->extract_failed && trial->sound)
        trial->sound = adi_async_judge_count(trial->test, handler, &trial->wanted, trial->rule);
}
