/* SPDX-License-Identifier: Apache-2.0 */
#include "async_call.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "async_judge.h"
#include "attribution.h"
#include "grace_period.h"
#include "process.h"
#include "tree.h"

#define MOST_CANCELS 8
#define CANCEL_MS    20   /* that several cancels are waited for */
#define BEGUN_MS     2000 /* that those are, whose threads want a processor */
#define TURNS_ROUND  2000
#define TIMES        2000 /* that each thread cancels, where it is tried for a race */

void adi_async_tell(struct adi_async_handler *handler, const char *rule) {
    if (handler->tell != NULL) handler->tell(handler->context, rule);
}

void adi_async_wake(struct adi_async_handler *handler) {
    pthread_cond_broadcast(&handler->changed);
    if (handler->conduct.turns != NULL) adi_turns_changed(handler->conduct.turns);
}

/* AS-072: within the lock. What is gone is not called: that would be a crash, whatever it is for.
 */
static bool is_there(const struct adi_async_handler *handler) {
    const struct ArrowAsyncProducer *before = &handler->as_it_was.producer;
    struct ArrowAsyncProducer now;
    size_t bytes = offsetof(struct adi_shipped_producer, additional_metadata); /* in both layouts */
    return adi_safe_read(&now, handler->producer, bytes) == 0 && now.request == before->request &&
           now.cancel == before->cancel;
}

/* The producer may go just before the release, whose callback says that it has: where no callback
 * is under way, what comes next says whether it has gone too soon. */
static void report_gone(struct adi_async_handler *handler, const char *what, bool is_within) {
    char text[64];
    snprintf(text, sizeof text, "%s is to be called within a callback", what);
    if (is_within)
        adi_async_handler_report(handler, "async/producer-not-valid", "other members, or none",
                                 "what it was in on_schema", text);
}

/* NULL: it may not be called, yet or any more. `counted`: as one that is under way, by who has made
 * this thread. */
static struct ArrowAsyncProducer *enter(struct adi_async_handler *handler, const char *what,
                                        bool counted) {
    pthread_mutex_lock(&handler->lock);
    struct ArrowAsyncProducer *producer =
        handler->is_releasing || handler->errors > 0 ? NULL : handler->producer;
    const bool is_within = handler->within > 0, is_gone = producer != NULL && !is_there(handler);
    if (is_gone) producer = NULL;
    handler->is_gone = handler->is_gone || is_gone;
    handler->calling += (producer != NULL) - counted;
    adi_async_wake(handler);
    pthread_mutex_unlock(&handler->lock);
    if (is_gone) report_gone(handler, what, is_within);
    if (producer == NULL) return NULL;
    adi_async_call_begins(what);
    return producer;
}

static void leave(struct adi_async_handler *handler) {
    adi_async_call_ends();
    pthread_mutex_lock(&handler->lock);
    handler->calling--;
    adi_async_wake(handler);
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
void adi_async_call_request(struct adi_async_handler *handler, int64_t n, const char *rule) {
    struct ArrowAsyncProducer *producer = enter(handler, "request", false);
    if (producer == NULL) return;
    count_request(handler, n);
    if (rule != NULL) adi_async_tell(handler, rule);
    bool before = adi_attribution_enter(true);
    producer->request(producer, n);
    adi_attribution_enter(before);
    if (rule != NULL) adi_async_tell(handler, NULL);
    leave(handler);
}

void adi_async_handler_request(struct adi_async_handler *handler, int64_t n) {
    adi_async_call_request(handler, n, NULL);
}

/* Several threads, of which none calls before all are there: who is let goes at once. */
struct start_line {
    struct adi_async_handler *handler;
    int wanted;
    _Atomic int there, keepers; /* the last of those frees it */
    _Atomic bool is_over;       /* nobody calls anew: the callback that this came from goes on */
    _Atomic int begun, made;    /* cancels under way, or about to be; all of them */
};

static void let_go(struct start_line *line) {
    if (atomic_fetch_sub(&line->keepers, 1) == 1) free(line);
}

/* They turn round, since who sleeps is woken one after the other. */
static void await_all(struct start_line *line) {
    if (line == NULL) return;
    atomic_fetch_add(&line->there, 1);
    for (int turns = 0; atomic_load(&line->there) < line->wanted; turns++)
        if (turns > TURNS_ROUND) sched_yield();
}

/* Behind the callback the release may begin, and from then on nobody cancels. */
static bool may_cancel(struct start_line *line) {
    atomic_fetch_add(&line->begun, 1);
    bool may = !atomic_load(&line->is_over);
    if (may)
        atomic_fetch_add(&line->made, 1);
    else
        atomic_fetch_sub(&line->begun, 1);
    return may;
}

static void cancel_on(struct ArrowAsyncProducer *producer, struct start_line *line, int times) {
    for (int i = 0; i < times && may_cancel(line); i++) {
        producer->cancel(producer);
        atomic_fetch_sub(&line->begun, 1);
    }
}

/* A request on another thread may still come first until the first cancel has returned. */
static void cancel_once(struct adi_async_handler *handler, struct start_line *line) {
    struct ArrowAsyncProducer *producer = enter(handler, "cancel", line != NULL);
    if (producer == NULL) {
        await_all(line);
        return;
    }
    pthread_mutex_lock(&handler->lock);
    handler->is_cancelled = true;
    pthread_mutex_unlock(&handler->lock);
    bool before = adi_attribution_enter(true);
    await_all(line);
    if (line != NULL)
        cancel_on(producer, line, handler->conduct.is_quick ? TIMES : 1);
    else
        producer->cancel(producer);
    adi_attribution_enter(before);
    pthread_mutex_lock(&handler->lock);
    handler->has_cancelled = true;
    pthread_mutex_unlock(&handler->lock);
    leave(handler);
}

static void *cancel_here(void *line_at) {
    struct start_line *line = line_at;
    cancel_once(line->handler, line);
    let_go(line);
    return NULL;
}

static int count_calls(struct adi_async_handler *handler, int more) {
    pthread_mutex_lock(&handler->lock);
    int calls = handler->calling += more;
    pthread_mutex_unlock(&handler->lock);
    return calls;
}

/* Until no more than `others` are under way; not for long. */
static bool await_calls(struct adi_async_handler *handler, int others) {
    struct adi_grace_period grace = adi_grace_period(CANCEL_MS);
    bool goes = true;
    while (goes && count_calls(handler, 0) > others) goes = adi_grace_period_sleep(&grace);
    return goes;
}

/* Until all that were let have called. One that sleeps is within the call, or is over it. */
static void await_begun(const struct start_line *line) {
    struct adi_grace_period grace = adi_grace_period(BEGUN_MS);
    bool goes = true;
    while (goes && atomic_load(&line->begun) > 0 && adi_process_time_beside().is_ready)
        goes = adi_grace_period_sleep(&grace);
}

/* Ambiguity 43: a thread that does not come back may wait for the callback that this one is in. The
 * release waits for it. */
static void cancel_at_once(struct adi_async_handler *handler, int threads) {
    struct start_line *line = malloc(sizeof *line);
    int n = 0, wanted = threads < MOST_CANCELS ? threads : MOST_CANCELS;
    if (line == NULL) {
        cancel_once(handler, NULL);
        return;
    }
    *line = (struct start_line){handler, wanted, 0, wanted + 1, false, 0, 0};
    int others = count_calls(handler, wanted) - wanted;
    for (pthread_t thread; n < wanted && pthread_create(&thread, NULL, cancel_here, line) == 0; n++)
        pthread_detach(thread);
    count_calls(handler, n - wanted); /* those for whom there is no thread */
    atomic_fetch_add(&line->there, wanted - n);
    atomic_fetch_sub(&line->keepers, wanted - n);
    if (n == 0) cancel_once(handler, NULL);
    if (!await_calls(handler, others)) {
        atomic_store(&line->is_over, true);
        await_begun(line);
        if (atomic_load(&line->made) == 0) cancel_once(handler, NULL);
        if (handler->conduct.is_quick) await_calls(handler, others);
    }
    let_go(line);
}

/* AS-052, AS-053: cancel is idempotent and thread-safe, and does nothing from the second time on.
 */
void adi_async_handler_cancel(struct adi_async_handler *handler) {
    int threads = handler->conduct.cancels;
    if (threads > 1) {
        adi_async_tell(handler, "async/cancel-not-repeatable");
        cancel_at_once(handler, threads);
        adi_async_tell(handler, NULL);
    } else {
        cancel_once(handler, NULL);
    }
    if (handler->conduct.after_cancel > 0)
        adi_async_call_request(handler, handler->conduct.after_cancel,
                               "async/request-after-cancel");
}
