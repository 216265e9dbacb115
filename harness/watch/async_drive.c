/* SPDX-License-Identifier: Apache-2.0 */
#include "async_drive.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "async_judge.h"
#include "attribution.h"
#include "grace_period.h"
#include "move.h"

#define LATE_US    3000
#define BEGIN_US   20000
#define EXTRACT_MS 500 /* that a task which fails may wait for its extraction */

/* ---- a callback ---- */

struct call {
    struct adi_async_feed *feed;
    enum adi_async_callback callback;
    size_t which; /* task; n_chunks: the end */
    int answer;
};

static void *call_here(void *call_at) {
    struct call *call = call_at;
    struct adi_async_feed *feed = call->feed;
    struct ArrowAsyncDeviceStreamHandler *handler = feed->handler;
    bool is_end = call->which >= feed->plan.n_chunks;
    bool before = adi_attribution_enter(true);
    adi_async_feed_within(call->callback == ADI_ASYNC_ERROR     ? "on_error"
                          : call->callback == ADI_ASYNC_RELEASE ? "release"
                                                                : NULL);
    if (call->callback == ADI_ASYNC_SCHEMA)
        call->answer = handler->on_schema(handler, feed->schema);
    else if (call->callback == ADI_ASYNC_TASK)
        call->answer = handler->on_next_task(handler, is_end ? NULL : feed->tasks[call->which],
                                             feed->metadata[call->which]);
    else if (call->callback == ADI_ASYNC_ERROR)
        handler->on_error(handler, feed->error_code, feed->plan.is_silent ? NULL : feed->message,
                          feed->metadata[ADI_FEED_OF_ERROR]);
    else {
        adi_async_feed_releases(feed, ADI_FEED_RELEASING);
        handler->release(handler);
        adi_async_feed_releases(feed, ADI_FEED_RELEASED);
    }
    adi_async_feed_within(NULL);
    adi_attribution_enter(before);
    return NULL;
}

/* AS-004, AS-012: what is answered is 0 or the code of an errno. */
static void judge_answer(struct adi_async_feed *feed, const struct call *made) {
    char text[64];
    if (made->answer == 0 || adi_async_is_errno(made->answer)) return;
    snprintf(text, sizeof text, "%s answers %d",
             made->callback == ADI_ASYNC_SCHEMA ? "on_schema" : "on_next_task", made->answer);
    adi_async_feed_report(feed, "async/answer-unknown", text, "0, or the code of an errno",
                          "a callback of the handler answers with no code");
}

/* AS-062: the producer's members are the producer's, who goes on with its own. */
static void judge_producer(struct adi_async_feed *feed) {
    union adi_any_producer *now = feed->producer;
    adi_async_feed_judge_followed(feed);
    if (memcmp(now, &feed->original, sizeof *now) == 0) return;
    bool is_public = now->producer.device_type != feed->original.producer.device_type ||
                     now->producer.request != feed->original.producer.request ||
                     now->producer.cancel != feed->original.producer.cancel;
    adi_async_feed_report(
        feed, is_public ? "life/structure-changed" : "async/producers-data-touched",
        "another value", "the producer's", "a member of the producer was written over");
    *now = feed->original;
}

/* AS-056: tasks and errors may come after a cancel. */
static void tell_cancelled(struct adi_async_feed *feed) {
    pthread_mutex_lock(&feed->lock);
    bool is_cancelled = feed->is_cancelled;
    pthread_mutex_unlock(&feed->lock);
    if (is_cancelled && feed->plan.tell != NULL)
        feed->plan.tell(feed->plan.context, "async/not-ready-after-cancel");
}

static int call(struct adi_async_feed *feed, enum adi_async_callback callback, size_t which) {
    struct call made = {feed, callback, which, 0};
    pthread_t thread;
    if (feed->plan.is_late) usleep(LATE_US);
    if (feed->plan.turns != NULL) adi_turns_point(feed->plan.turns, false);
    if (callback != ADI_ASYNC_RELEASE) tell_cancelled(feed);
    if (feed->plan.elsewhere && pthread_create(&thread, NULL, call_here, &made) == 0)
        pthread_join(thread, NULL);
    else
        call_here(&made);
    if (feed->plan.tell != NULL) feed->plan.tell(feed->plan.context, NULL);
    judge_answer(feed, &made);
    if (!feed->plan.fails_first) judge_producer(feed);
    return made.answer;
}

/* ---- what it comes with ---- */

/* AS-066, AS-067, AS-068: the schema is moved out of the structure, which is gone afterwards. */
static int tell_schema(struct adi_async_feed *feed) {
    feed->handler->producer = &feed->producer->producer;
    int code = call(feed, ADI_ASYNC_SCHEMA, 0);
    feed->is_schema_taken = code == 0;
    if (code != 0) adi_schema_release(feed->schema);
    feed->schema_left = *feed->schema;
    adi_guard_retire(feed->schema);
    return code;
}

/* What is made anew is made by the main thread, as long as that has nothing else to do. */
static void ask_for(struct adi_async_feed *feed, size_t which) {
    if (feed->plan.before_task == NULL || which >= feed->plan.n_chunks) return;
    pthread_mutex_lock(&feed->lock);
    if (feed->is_served) feed->asks = which + 1;
    pthread_cond_broadcast(&feed->changed);
    while (feed->asks != 0) pthread_cond_wait(&feed->changed, &feed->lock);
    pthread_mutex_unlock(&feed->lock);
}

/* AS-017: the task, and its metadata, are valid during the call. */
static int tell_task(struct adi_async_feed *feed, size_t which) {
    ask_for(feed, which);
    int code = call(feed, ADI_ASYNC_TASK, which);
    if (which < feed->plan.n_chunks) adi_guard_retire(feed->tasks[which]);
    adi_guard_retire(feed->metadata[which]);
    return code;
}

/* AS-021, AS-022, AS-078, AS-079: message and metadata are valid during the call. */
static void tell_error(struct adi_async_feed *feed, int code) {
    feed->has_failed = true;
    feed->error_code = code;
    call(feed, ADI_ASYNC_ERROR, 0);
    adi_guard_retire(feed->message);
    adi_guard_retire(feed->metadata[ADI_FEED_OF_ERROR]);
}

/* ---- all of it ---- */

/* Threads take turns, and what is waited for is another one's. */
static bool takes_turns(const struct adi_async_feed *feed) {
    return feed->plan.turns != NULL && !feed->plan.turns->has_delays &&
           !adi_turns_are_let(feed->plan.turns);
}

/* Within the lock. */
static void await_turn(struct adi_async_feed *feed) {
    pthread_mutex_unlock(&feed->lock);
    adi_turns_point(feed->plan.turns, true);
    pthread_mutex_lock(&feed->lock);
}

/* false: it was cancelled or badly requested, or a task could not be extracted. */
static bool await_request(struct adi_async_feed *feed) {
    pthread_mutex_lock(&feed->lock);
    feed->steps++;
    while (feed->requested <= feed->delivered && !feed->is_cancelled && !feed->is_abandoned &&
           !feed->has_bad_request && !feed->extract_failed) {
        feed->is_waiting = true;
        pthread_cond_broadcast(&feed->changed);
        if (takes_turns(feed))
            await_turn(feed);
        else
            pthread_cond_wait(&feed->changed, &feed->lock);
    }
    feed->is_waiting = false;
    bool is_requested =
        feed->requested > feed->delivered && !feed->has_bad_request && !feed->extract_failed;
    feed->delivered += is_requested;
    pthread_mutex_unlock(&feed->lock);
    return is_requested;
}

static bool awaits_failure(struct adi_async_feed *feed) {
    pthread_mutex_lock(&feed->lock);
    bool waits = feed->plan.fails_at > 0 && !feed->settled[feed->plan.fails_at - 1] &&
                 !feed->is_cancelled && !feed->is_abandoned;
    pthread_mutex_unlock(&feed->lock);
    return waits;
}

/* false: it will not come. */
static bool await_extraction(struct adi_async_feed *feed, struct adi_grace_period *grace) {
    return takes_turns(feed) ? !adi_turns_await_idle(feed->plan.turns)
                             : adi_grace_period_sleep(grace);
}

/* Behind the end there is no on_error: the task that fails is to be extracted before it. Who does
 * that when all is over is told by the answer of extract_data alone. */
static void await_failure(struct adi_async_feed *feed) {
    struct adi_grace_period grace = adi_grace_period(EXTRACT_MS);
    while (awaits_failure(feed) && await_extraction(feed, &grace)) continue;
}

/* The code of on_error; 0: none, and with all tasks the end is next. */
static int error_of(struct adi_async_feed *feed, bool has_all) {
    pthread_mutex_lock(&feed->lock);
    int code = feed->has_bad_request  ? EINVAL
               : feed->extract_failed ? EIO
               : has_all              ? feed->plan.failure
                                      : 0;
    feed->has_end = has_all && code == 0;
    pthread_mutex_unlock(&feed->lock);
    return code;
}

/* An error of a task is told by on_error, unless on_next_task has answered one. */
static void feed_all(struct adi_async_feed *feed) {
    size_t i = 0, n = feed->plan.n_chunks;
    int answer = tell_schema(feed);
    for (; answer == 0 && i < n && await_request(feed); i++) answer = tell_task(feed, i);
    if (answer == 0 && i == n) await_failure(feed);
    int code = error_of(feed, i == n);
    if (answer == 0 && code == 0 && i == n) answer = tell_task(feed, i);
    if (answer == 0 && code == 0 && i == n && feed->plan.oddity == ADI_FEED_ENDS_TWICE) {
        feed->metadata[n] = NULL;
        tell_task(feed, n);
    }
    if (answer == 0 && code != 0) tell_error(feed, code);
}

static void *run(void *feed_at_start) {
    struct adi_async_feed *feed = feed_at_start;
    adi_attribution_enter(false);
    if (feed->plan.turns != NULL) adi_turns_join(feed->plan.turns);
    if (feed->plan.is_late) usleep(BEGIN_US);
    if (feed->plan.fails_first)
        tell_error(feed, feed->plan.failure);
    else
        feed_all(feed);
    call(feed, ADI_ASYNC_RELEASE, 0);
    adi_guard_retire(feed->producer);
    pthread_mutex_lock(&feed->lock);
    feed->is_over = true;
    pthread_cond_broadcast(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
    if (feed->plan.turns != NULL) adi_turns_leave(feed->plan.turns);
    return NULL;
}

int adi_async_drive_start(struct adi_async_feed *feed,
                          struct ArrowAsyncDeviceStreamHandler *handler) {
    feed->handler = handler;
    handler->producer = &feed->producer->producer;
    feed->is_served = true;
    int code = pthread_create(&feed->thread, NULL, run, feed);
    feed->has_thread = code == 0;
    return code;
}

void adi_async_drive_serve(struct adi_async_feed *feed, int ms) {
    struct adi_grace_period grace = adi_grace_period(ms);
    int64_t steps = -1;
    bool goes = true;
    pthread_mutex_lock(&feed->lock);
    while (goes && !feed->is_over && !feed->is_waiting) {
        if (feed->asks != 0) {
            size_t which = feed->asks - 1;
            pthread_mutex_unlock(&feed->lock);
            feed->plan.before_task(feed->plan.context, which);
            pthread_mutex_lock(&feed->lock);
            feed->asks = 0;
            pthread_cond_broadcast(&feed->changed);
            grace = adi_grace_period(ms);
        } else {
            if (feed->steps != steps) grace = adi_grace_period(ms);
            steps = feed->steps;
            goes = adi_grace_period_await(&grace, &feed->changed, &feed->lock) ||
                   feed->steps != steps || feed->asks != 0;
        }
    }
    feed->is_served = false;
    feed->asks = 0;
    pthread_cond_broadcast(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
}

void adi_async_drive_await(struct adi_async_feed *feed) {
    bool goes = takes_turns(feed);
    while (goes) {
        pthread_mutex_lock(&feed->lock);
        goes = !feed->is_over;
        pthread_mutex_unlock(&feed->lock);
        if (goes) adi_turns_point(feed->plan.turns, true);
        goes = goes && takes_turns(feed);
    }
    if (feed->plan.turns != NULL) adi_turns_let(feed->plan.turns);
}

void adi_async_drive_join(struct adi_async_feed *feed) {
    if (feed->has_thread) pthread_join(feed->thread, NULL);
    feed->has_thread = false;
}
