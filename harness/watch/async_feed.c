/* SPDX-License-Identifier: Apache-2.0 */
#include "async_feed.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "attribution.h"
#include "grace_period.h"
#include "move.h"
#include "safe_read.h"
#include "schema.h"

#define KEY_BYTES 16
#define RETURN_MS 5 /* that a call is held while the release of the handler runs */

/* A callback has only the structure to go by: private_data is the key. */
static struct adi_async_feed *feeds;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER; /* of those that are open */
static _Atomic size_t called;                            /* callbacks that run, on any thread */

static struct adi_async_feed *feed_at(const void *key, size_t *which) {
    pthread_mutex_lock(&list);
    struct adi_async_feed *feed = feeds;
    for (; feed != NULL; feed = feed->next) {
        ptrdiff_t at = (const char *)key - feed->private_data;
        if (at < 0 || at >= KEY_BYTES * (ADI_FEED_TASKS + 1)) continue;
        *which = (size_t)at / KEY_BYTES;
        break;
    }
    pthread_mutex_unlock(&list);
    return feed;
}

static struct adi_async_feed *feed_of(const struct ArrowAsyncProducer *producer) {
    pthread_mutex_lock(&list);
    struct adi_async_feed *feed = feeds;
    while (feed != NULL && &feed->producer->producer != producer) feed = feed->next;
    pthread_mutex_unlock(&list);
    return feed;
}

/* Ambiguity 44. Of a copy only private_data tells whose it is. */
static struct adi_async_feed *feed_of_copy(const struct ArrowAsyncProducer *copy) {
    static const size_t keys[] = {
        [ADI_ASYNC_SHIPPED] = offsetof(struct adi_shipped_producer, private_data),
        [ADI_ASYNC_WITH_RELEASE] = offsetof(struct adi_published_producer, private_data)};
    pthread_mutex_lock(&list);
    struct adi_async_feed *feed = feeds;
    for (; feed != NULL; feed = feed->next) {
        size_t at = keys[feed->plan.layout];
        const void *key, *own;
        memcpy(&own, (const char *)&feed->original + at, sizeof own);
        if (adi_safe_read(&key, (const char *)copy + at, sizeof key) == 0 && key == own) break;
    }
    pthread_mutex_unlock(&list);
    return feed;
}

/* Until the callback ends, the feed that it finds stays. */
static bool begin(void) {
    atomic_fetch_add(&called, 1);
    return adi_attribution_enter(false);
}

static void end(bool attributed) {
    adi_attribution_enter(attributed);
    atomic_fetch_sub(&called, 1);
}

void adi_async_feed_report(struct adi_async_feed *feed, const char *rule, const char *seen,
                           const char *wanted, const char *what) {
    pthread_mutex_lock(&feed->lock);
    bool is_first = !feed->is_broken;
    feed->is_broken = true;
    pthread_mutex_unlock(&feed->lock);
    if (is_first) adi_report(feed->sink, rule, ADI_CONSUMER, seen, wanted, "%s", what);
}

/* AS-062: what it points to is the producer's, and nobody else's to look at. */
void adi_async_feed_judge_followed(struct adi_async_feed *feed) {
    if (adi_async_other_was_followed(&feed->other))
        adi_async_feed_report(feed, "async/producers-data-touched", "a read, or a write",
                              "no such access", "private_data was read or written through");
}

/* ---- what the consumer calls ---- */

static _Thread_local const char *within;

void adi_async_feed_within(const char *callback) {
    within = callback;
}

/* The border in front of what the consumer calls. */
static void point(const struct adi_async_feed *feed) {
    if (feed != NULL && feed->plan.turns != NULL) adi_turns_point(feed->plan.turns, false);
}

/* Within the lock. */
static void wake(struct adi_async_feed *feed) {
    pthread_cond_broadcast(&feed->changed);
    if (feed->plan.turns != NULL) adi_turns_changed(feed->plan.turns);
}

void adi_async_feed_releases(struct adi_async_feed *feed, enum adi_feed_release release) {
    pthread_mutex_lock(&feed->lock);
    feed->release = release;
    pthread_mutex_unlock(&feed->lock);
}

static enum adi_feed_release release_of(struct adi_async_feed *feed) {
    pthread_mutex_lock(&feed->lock);
    enum adi_feed_release release = feed->release;
    pthread_mutex_unlock(&feed->lock);
    return release;
}

/* A consumer that looks whether it is, and calls, under a lock has its release wait for the call.
 * One whose release returns nevertheless has not looked. Who takes turns is let by them. */
static bool is_released(struct adi_async_feed *feed) {
    struct adi_grace_period grace = adi_grace_period(RETURN_MS);
    bool takes_turns = feed->plan.turns != NULL && !feed->plan.turns->has_delays;
    while (!takes_turns && release_of(feed) == ADI_FEED_RELEASING && adi_grace_period_sleep(&grace))
        continue;
    return release_of(feed) == ADI_FEED_RELEASED;
}

/* AS-025, AS-028: on_error and release call no method of the producer. */
static struct adi_async_feed *enter(struct ArrowAsyncProducer *self, const char *what) {
    char text[64];
    struct adi_async_feed *feed = feed_of(self);
    if (feed == NULL) feed = feed_of_copy(self);
    if (feed == NULL) return feed;
    point(feed);
    if (within == NULL && !is_released(feed)) return feed;
    if (within == NULL) {
        adi_async_feed_report(feed, "async/producer-not-there", what, "no such call",
                              "a method of the producer was called after the release");
        return NULL;
    }
    snprintf(text, sizeof text, "%s within %s", what, within);
    adi_async_feed_report(feed, "async/producer-called-at-end", text, "no such call",
                          "a method of the producer was called");
    return NULL;
}

/* AS-049: n is above 0. */
static void request(struct ArrowAsyncProducer *self, int64_t n) {
    bool before = begin();
    struct adi_async_feed *feed = enter(self, "request");
    if (feed != NULL && n <= 0) {
        char text[64];
        snprintf(text, sizeof text, "request(%lld)", (long long)n);
        adi_async_feed_report(feed, "async/bad-request", text, "a number above 0",
                              "batches were requested, and not as many as one");
    }
    if (feed != NULL) {
        pthread_mutex_lock(&feed->lock);
        if (!feed->is_cancelled && n > 0) feed->requested += n < 1000 ? n : 1000;
        feed->has_bad_request = feed->has_bad_request || n <= 0;
        wake(feed);
        pthread_mutex_unlock(&feed->lock);
    }
    end(before);
}

static void cancel(struct ArrowAsyncProducer *self) {
    bool before = begin();
    struct adi_async_feed *feed = enter(self, "cancel");
    if (feed != NULL) {
        pthread_mutex_lock(&feed->lock);
        feed->is_cancelled = true;
        wake(feed);
        pthread_mutex_unlock(&feed->lock);
    }
    end(before);
}

static void give(struct adi_guarded_chunk *chunk, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray *from = chunk->pair.array;
    adi_device_array_move(from, out);
    adi_monitor_moved(&chunk->input->monitor, &from->array, &out->array);
    adi_monitor_hand_over(&chunk->input->monitor, &out->array);
}

/* Gives the batch, or gives it back. */
static int settle(struct adi_async_feed *feed, size_t which, struct ArrowDeviceArray *out) {
    struct adi_guarded_chunk *chunk = &feed->plan.chunks[which];
    bool fails = out != NULL && which + 1 == feed->plan.fails_at;
    if (out != NULL && !fails)
        give(chunk, out);
    else
        adi_device_array_release(chunk->pair.array);
    pthread_mutex_lock(&feed->lock);
    feed->settled[which] = true;
    feed->extract_failed = feed->extract_failed || fails;
    feed->fails_untold =
        feed->fails_untold || (fails && feed->has_end && feed->release != ADI_FEED_RELEASED);
    wake(feed);
    pthread_mutex_unlock(&feed->lock);
    return fails ? EIO : 0;
}

/* AS-039: the private_data of a task is not the consumer's. Of a copy nobody knows whose it was. */
static struct adi_async_feed *judge_key(const struct ArrowAsyncTask *task, size_t *which) {
    pthread_mutex_lock(&list);
    struct adi_async_feed *feed = feeds;
    pthread_mutex_unlock(&list);
    if (feed == NULL) return NULL;
    adi_async_feed_report(feed, "async/producers-data-touched", "another pointer", "the producer's",
                          "private_data of a task was written over");
    for (size_t i = 0; i < feed->plan.n_chunks; i++) {
        *which = i;
        if (feed->tasks[i] == task) return feed;
    }
    pthread_mutex_lock(&feed->lock);
    feed->extract_failed = true;
    wake(feed);
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

/* AS-038: extract_data is called once. */
static int extract_data(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    bool before = begin();
    size_t which = 0;
    struct adi_async_feed *feed = feed_at(self->private_data, &which);
    int code = EINVAL;
    if (feed == NULL && !adi_guard_has_ended(self->private_data)) feed = judge_key(self, &which);
    point(feed);
    if (feed != NULL && which < feed->plan.n_chunks) {
        pthread_mutex_lock(&feed->lock);
        code = feed->extracted[which]++ == 0 ? 0 : EINVAL;
        pthread_mutex_unlock(&feed->lock);
        if (code != 0)
            adi_async_feed_report(feed, "async/extracted-twice", "a second call",
                                  "one call of extract_data", "a task was extracted again");
        else
            code = settle(feed, which, out);
    }
    end(before);
    return code;
}

/* ---- the schema ---- */

static void (*release_schema)(struct ArrowSchema *); /* of all that are exported */

/* Where it is called from does not matter: who moves a schema by its bytes has these. */
static void on_schema_release(struct ArrowSchema *self) {
    bool before = begin();
    pthread_mutex_lock(&list);
    struct adi_async_feed *feed = feeds;
    while (feed != NULL && feed->schema_key != self->private_data) feed = feed->next;
    pthread_mutex_unlock(&list);
    if (feed == NULL || atomic_fetch_add(&feed->schema_releases, 1) == 0) {
        release_schema(self);
    } else {
        adi_async_feed_report(feed, "life/release-twice", "a second call", "one call of release",
                              "the schema of on_schema was released again");
        self->release = NULL;
    }
    end(before);
}

bool adi_async_feed_lends_schema(const struct adi_async_feed *feed) {
    return feed->is_schema_taken && atomic_load(&feed->schema_releases) == 0;
}

/* AS-066, AS-067: the schema is moved out of the structure, and released on its own. */
static void judge_schema(struct adi_async_feed *feed) {
    bool is_left = feed->schema_left.release != NULL;
    if (adi_async_feed_lends_schema(feed))
        adi_async_feed_report(feed, "life/never-released", "no call of release", "one",
                              "the schema of on_schema was taken, and never released");
    else if (feed->is_schema_taken && is_left)
        adi_async_feed_report(feed, "life/move-source-not-released", "release is set",
                              "NULL: moved, or released in place",
                              "the schema of on_schema was taken, but not marked released");
    if (is_left && atomic_load(&feed->schema_releases) == 0) adi_schema_release(&feed->schema_left);
}

/* ---- its life ---- */

static void *alloc(enum adi_region_kind kind, size_t bytes, const char *place,
                   enum adi_charge charge) {
    void *made = adi_guard_alloc(kind, bytes, kind == ADI_REGION_STRING ? 1 : 16, place);
    if (made != NULL) adi_guard_charge(made, charge);
    return made;
}

static char *text(size_t bytes, const char *place) {
    char *made = alloc(ADI_REGION_STRING, bytes, place, ADI_CHARGE_TOUCH_ASYNC_TEXT);
    if (made != NULL) memset(made, 'x', bytes - 1);
    return made;
}

static char *metadata(enum adi_feed_oddity oddity) {
    static const char right[] = "\1\0\0\0\3\0\0\0key\5\0\0\0value";
    static const char negative[] = "\1\0\0\0\377\377\377\377key\5\0\0\0value";
    char *made = text(sizeof right - 1, "metadata");
    const char *from = oddity == ADI_FEED_METADATA_NEGATIVE ? negative : right;
    return made == NULL ? NULL : memcpy(made, from, sizeof right - 1);
}

static char *message(enum adi_feed_oddity oddity) {
    static const char usual[] = "adicheck's stream ends in an error here",
                      binary[] = "\377\376\200 failed";
    const char *from = oddity == ADI_FEED_TEXT_BINARY ? binary : usual;
    bool is_long = oddity == ADI_FEED_TEXT_LONG;
    char *made = text(is_long ? (1 << 20) + 1 : strlen(from) + 1, "message");
    return made == NULL || is_long ? made : memcpy(made, from, strlen(from));
}

/* A wrong layout has the consumer read `private_data`, or `release`, for metadata; that is there.
 */
static void fill(struct adi_async_feed *feed) {
    const struct adi_async_feed_plan *plan = &feed->plan;
    char *private_data = feed->private_data + (size_t)KEY_BYTES * ADI_FEED_TASKS;
    bool is_shipped = plan->layout == ADI_ASYNC_SHIPPED;
    bool is_there = adi_async_other_listen(&feed->other, is_shipped, plan->listens);
    const struct adi_shipped_producer members = {
        plan->type, request, cancel, feed->metadata[ADI_FEED_OF_PRODUCER],
        is_shipped && is_there ? feed->other.begin : private_data};
    adi_async_fill(plan->layout, &members, feed->producer);
    if (plan->listens && !is_shipped)
        memcpy((char *)feed->producer + offsetof(struct adi_published_producer, release),
               &feed->other.begin, sizeof feed->other.begin);
    feed->original = *feed->producer;
    if (plan->listens) adi_guard_listen(feed->metadata[ADI_FEED_OF_PRODUCER]);
}

enum adi_async_evidence adi_async_feed_layout(const struct adi_async_feed *feed) {
    if (adi_guard_was_heard(feed->metadata[ADI_FEED_OF_PRODUCER])) return ADI_LAYOUT_RIGHT;
    return adi_async_other_was_decoded(&feed->other) ? ADI_LAYOUT_WRONG : ADI_LAYOUT_UNKNOWN;
}

static bool lay_out(struct adi_async_feed *feed) {
    const enum adi_feed_oddity oddity = feed->plan.oddity;
    bool whole = true;
    feed->producer = alloc(ADI_REGION_STRUCTURE, sizeof *feed->producer, "the producer",
                           ADI_CHARGE_TOUCH_PRODUCER);
    feed->schema = alloc(ADI_REGION_STRUCTURE, sizeof *feed->schema, "the schema of on_schema",
                         ADI_CHARGE_TOUCH_ASYNC_TEXT);
    feed->private_data = alloc(ADI_REGION_PRIVATE, KEY_BYTES * (ADI_FEED_TASKS + 1), "private_data",
                               ADI_CHARGE_TOUCH_PRODUCER_PRIVATE);
    feed->message = message(oddity);
    for (size_t i = 0; i < ADI_FEED_METADATA; i++)
        whole = (feed->metadata[i] = metadata(oddity)) != NULL && whole;
    for (size_t i = 0; i < feed->plan.n_chunks; i++) {
        feed->tasks[i] =
            alloc(ADI_REGION_STRUCTURE, sizeof *feed->tasks[i], "the task", ADI_CHARGE_TOUCH_TASK);
        if (feed->tasks[i] == NULL) return false;
        *feed->tasks[i] = (struct ArrowAsyncTask){extract_data, feed->private_data + KEY_BYTES * i};
    }
    if (!whole || !adi_async_other_make(&feed->other) || feed->producer == NULL ||
        feed->schema == NULL || feed->private_data == NULL || feed->message == NULL)
        return false;
    if (adi_schema_export(feed->plan.schema, feed->schema, NULL) != 0) return false;
    release_schema = feed->schema->release;
    feed->schema->release = on_schema_release;
    feed->schema_key = feed->schema->private_data;
    return true;
}

bool adi_async_feed_open(struct adi_async_feed *out, const struct adi_async_feed_plan *plan,
                         struct adi_sink *sink) {
    memset(out, 0, sizeof *out);
    out->plan = *plan;
    out->sink = sink;
    if (!lay_out(out)) return false;
    pthread_mutex_init(&out->lock, NULL);
    pthread_cond_init(&out->changed, NULL);
    adi_guard_seal();
    fill(out);
    adi_guard_retire(out->private_data);
    /* AS-031: the producer is not there before on_schema. */
    if (plan->fails_first) adi_guard_retire(out->producer);
    pthread_mutex_lock(&list);
    out->next = feeds;
    feeds = out;
    pthread_mutex_unlock(&list);
    adi_guard_keep(1);
    return true;
}

void adi_async_feed_abandon(struct adi_async_feed *feed) {
    pthread_mutex_lock(&feed->lock);
    feed->is_abandoned = true;
    wake(feed);
    pthread_mutex_unlock(&feed->lock);
}

/* From here on no callback finds it, and none that has found it runs. false: it was never in. */
static bool take_out(struct adi_async_feed *feed) {
    struct adi_async_feed **at = &feeds;
    pthread_mutex_lock(&list);
    while (atomic_load(&called) > 0) {
        pthread_mutex_unlock(&list);
        sched_yield();
        pthread_mutex_lock(&list);
    }
    while (*at != NULL && *at != feed) at = &(*at)->next;
    bool was_in = *at == feed;
    if (was_in) {
        adi_guard_end(feed->private_data);
        *at = feed->next;
    }
    pthread_mutex_unlock(&list);
    return was_in;
}

/* AS-033: each task is extracted, wanted or not. */
void adi_async_feed_close(struct adi_async_feed *feed) {
    if (feed->private_data == NULL) return;
    bool was_in = take_out(feed);
    for (int64_t i = 0; i < feed->delivered; i++)
        if (feed->extracted[i] == 0)
            adi_async_feed_report(feed, "async/task-not-extracted", "no call of extract_data",
                                  "one", "a task was dropped");
    for (size_t i = 0; i < feed->plan.n_chunks; i++)
        if (feed->extracted[i] == 0) adi_device_array_release(feed->plan.chunks[i].pair.array);
    if (feed->handler == NULL || feed->plan.fails_first) adi_schema_release(feed->schema);
    judge_schema(feed);
    adi_async_feed_judge_followed(feed);
    if (was_in) adi_guard_keep(-1);
}
