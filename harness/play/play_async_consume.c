/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which the harness is the producer of an asynchronous stream.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async_drive.h"
#include "attribution.h"
#include "batches.h"
#include "move.h"
#include "play_async.h"

#define SOON_MS  100  /* that a callback may take before the slot that blocks is called */
#define BEGIN_MS 1000 /* that the harness's own thread may take to come */

static const struct scenario {
    struct adi_async_design design;
    int64_t at_once;
    bool fails_first, elsewhere, is_late;
    size_t fails_at;
    bool is_pending; /* what fills a batch is held again before each */
    bool is_silent;  /* the error has no text */
    bool listens;    /* for who looks at which member of the producer */
} scenarios[] = {
    {{4, 0, 0, 0}, 3, .fails_at = 0},
    {{4, 0, 0, 0}, 1, .elsewhere = true},
    {{0, 0, 0, 0}, 2, .fails_at = 0},
    {{0, 0, EIO, 0}, 2, .fails_first = true},
    {{2, 0, EIO, 0}, 5, .elsewhere = true},
    {{3, 0, 0, 0}, 2, .fails_at = 2},
    {{4, 0, 0, 0}, 2, .is_late = true},
    {{3, 0, 0, 0}, 3, .is_pending = true},
    {{2, 0, 0, 0}, 2, .listens = true},
    {{2, 0, EIO, 0}, 2, .elsewhere = true}, /* malformed */
    {{2, 0, 0, 0}, 2, .elsewhere = true},   /* malformed, without an error */
    {{2, 0, EIO, 0}, 5, .elsewhere = true, .is_silent = true},
};
#define MALFORMED 9

struct trial {
    struct adi_test *test;
    const struct scenario *scenario;
    struct adi_column wanted, made;
    struct adi_guarded inputs[ADI_ASYNC_CHUNKS];
    struct adi_guarded_chunk chunks[ADI_ASYNC_CHUNKS];
    size_t n;
    struct adi_async_feed feed;
    struct ArrowAsyncDeviceStreamHandler *handler;
    struct ArrowArrayStream out;
    struct adi_batches batches;
    int code;
    enum adi_feed_oddity oddity;
    struct adi_turns *turns; /* NULL: none */
    uint64_t seed;           /* of delays, if the implementation does not take the schedule */
};

/* ---- calls ---- */

static void call_consume(void *trial_at) {
    struct trial *trial = trial_at;
    struct adi_adapter *adapter = trial->test->adapter;
    trial->code = adapter->consume_async(adapter, trial->handler, trial->scenario->at_once);
}

/* All that can come before the slot that blocks is called. */
static void call_drive(void *feed) {
    adi_async_drive_serve(feed, SOON_MS);
}

static void call_finish(void *trial_at) {
    struct trial *trial = trial_at;
    struct adi_adapter *adapter = trial->test->adapter;
    trial->code = adapter->consume_async_finish(adapter, &trial->out);
}

static void call_collect(void *trial_at) {
    struct trial *trial = trial_at;
    adi_batches_collect(&trial->out, &trial->batches);
}

/* ---- a trial ---- */

/* From what was made, whose schema is needed for the next one, too. */
static bool put(struct trial *trial, struct adi_column *made, size_t i, struct adi_error *error) {
    struct ArrowSchema schema;
    struct adi_guarded_chunk *chunk = &trial->chunks[i];
    chunk->input = &trial->inputs[i];
    adi_guarded_open(chunk->input, trial->test->device, &trial->test->sink);
    adi_schema_move(&made->schema, &schema);
    int code = adi_guarded_put(chunk->input, &schema, &made->chunks[i], ADI_GUARDED_NO_SCHEMA,
                               &chunk->pair, error);
    adi_schema_move(&schema, &made->schema);
    return code == 0;
}

static void put_anew(void *trial_at, size_t i) {
    struct trial *trial = trial_at;
    struct adi_column made;
    struct adi_error error = {""};
    if (i == 0) return;
    bool before = adi_attribution_enter(false);
    adi_chunk_put_off(trial->test, i, &trial->chunks[i]);
    if (!adi_async_column_make(trial->test, &trial->scenario->design, &made) ||
        !put(trial, &made, i, &error)) {
        adi_play_error(trial->test, "no batch to hand over", &error);
        trial->test->over = true;
    }
    adi_column_free(&made);
    adi_attribution_enter(before);
}

static void on_tell(void *trial_at, const char *rule) {
    adi_play_crash_rule(((struct trial *)trial_at)->test, rule);
}

static const struct ArrowSchema *schema_of(const struct trial *trial) {
    static const struct ArrowSchema text = {.format = "u", .name = ""},
                                    number = {.format = "l", .name = ""};
    const struct ArrowSchema *own = &trial->wanted.schema;
    if (trial->oddity != ADI_FEED_SCHEMA_OTHER) return own;
    return strcmp(own->format, text.format) == 0 ? &number : &text;
}

static bool open_trial(struct trial *trial) {
    struct adi_test *test = trial->test;
    const struct scenario *scenario = trial->scenario;
    struct adi_error error = {""};
    enum adi_async_layout layout = ADI_ASYNC_SHIPPED;
    adi_async_layout_at(test->adapter->async_layout, &layout);
    bool goes = adi_async_column_make(test, &scenario->design, &trial->wanted) &&
                adi_async_column_make(test, &scenario->design, &trial->made);
    for (; trial->n < trial->made.n && goes; trial->n++)
        goes = put(trial, &trial->made, trial->n, &error);
    const struct adi_async_feed_plan plan = {.schema = schema_of(trial),
                                             .oddity = trial->oddity,
                                             .chunks = trial->chunks,
                                             .n_chunks = trial->n,
                                             .type = test->device->ops->type,
                                             .layout = layout,
                                             .failure = scenario->design.failure,
                                             .fails_at = scenario->fails_at,
                                             .fails_first = scenario->fails_first,
                                             .elsewhere = scenario->elsewhere,
                                             .is_late = scenario->is_late,
                                             .is_silent = scenario->is_silent,
                                             .listens = scenario->listens,
                                             .turns = trial->turns,
                                             .before_task = scenario->is_pending ? put_anew : NULL,
                                             .tell = trial->oddity == 0 ? on_tell : NULL,
                                             .context = trial};
    goes = goes && adi_async_feed_open(&trial->feed, &plan, &test->sink);
    trial->handler = calloc(1, sizeof *trial->handler);
    if (!goes || trial->handler == NULL) adi_play_error(test, "no stream to hand over", &error);
    return goes && trial->handler != NULL;
}

/* Behind a batch that could not be had, others may follow or not. Was it so before the last so many
 * rows? */
static bool is_past_failure(const struct trial *trial, int64_t last) {
    int64_t rows = 0;
    for (size_t i = 0; i + 1 < trial->scenario->fails_at; i++)
        rows += trial->wanted.chunks[i].length;
    return trial->feed.extract_failed && adi_column_seen(&trial->wanted) - last >= rows;
}

static bool is_same(void *trial_at, const struct ArrowArray *slice,
                    const struct ArrowArray *wanted) {
    struct trial *trial = trial_at;
    struct adi_test *test = trial->test;
    struct adi_error why = {""};
    if (is_past_failure(trial, wanted->length)) return true;
    int code =
        adi_play_judge_copy(&test->sink, adi_play_exports_on_cpu(test->adapter),
                            &trial->batches.schema, slice, &trial->wanted.schema, wanted, &why);
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why);
    return code == 0;
}

static bool compare(struct trial *trial, const struct ArrowArray *array) {
    int64_t more =
        adi_column_compare(&trial->wanted, &trial->batches.schema, array, is_same, trial);
    if (more > 0 && is_past_failure(trial, 0)) return true;
    if (more > 0)
        adi_report(&trial->test->sink, "array/misread", ADI_CONSUMER, NULL, NULL,
                   "there are more rows than came");
    return more == 0;
}

/* AS-003: a schema comes before any batch, and where there is none. */
static bool judge_schema(struct trial *trial) {
    struct adi_test *test = trial->test;
    struct adi_error why = {""};
    if (trial->batches.schema_error.code != 0) return true;
    int code = adi_play_judge_copied_schema(&test->sink, adi_play_exports_on_cpu(test->adapter),
                                            &trial->batches.schema, &trial->wanted.schema, &why);
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why);
    return code == 0;
}

/* Was the consumer told that the stream is not whole? Who looks at on_error alone was not, where a
 * task has failed behind the end. */
static bool was_told(const struct adi_async_feed *feed) {
    return feed->has_failed || (feed->extract_failed && !feed->fails_untold);
}

static int error_of(const struct trial *trial) {
    const struct adi_batches *batches = &trial->batches;
    return trial->code != 0           ? trial->code
           : batches->error.code != 0 ? batches->error.code
                                      : batches->schema_error.code;
}

/* The text may be of on_error, of an earlier call, or of nothing: it is told who has answered. */
static void refuse(struct trial *trial, const char *call, int code) {
    char text[ADI_FINDING_SIZE];
    const char *why = adi_call_error(trial->test->adapter);
    snprintf(text, sizeof text, "%s of the consumer has answered an error%s%.400s", call,
             *why == '\0' ? "" : ": ", why);
    adi_play_refused_so(trial->test, code, text);
}

static void judge_batches(struct trial *trial) {
    struct adi_test *test = trial->test;
    bool same = judge_schema(trial);
    for (size_t i = 0; i < trial->batches.count && same; i++)
        same = compare(trial, &trial->batches.batches[i].array);
    bool has_failed = error_of(trial) != 0;
    if (was_told(&trial->feed) && !trial->feed.has_bad_request) {
        if (!has_failed)
            adi_report(&test->sink, "async/error-overlooked", ADI_CONSUMER, "a whole stream",
                       "an error", "%s, and nothing says so",
                       trial->feed.has_failed ? "on_error was called"
                                              : "extract_data has answered an error");
    } else if (trial->feed.fails_untold) {
        return; /* either is right */
    } else if (has_failed && test->n_findings == 0) {
        refuse(trial, trial->code != 0 ? "consume_async_finish" : "the host copy", error_of(trial));
    } else if (same && test->n_findings == 0 &&
               adi_column_seen(&trial->wanted) < adi_column_rows(&trial->wanted)) {
        adi_report(&test->sink, "array/misread", ADI_CONSUMER, NULL, NULL,
                   "rows that came are missing");
    }
}

/* Ambiguity 27. */
static void judge_layout(struct trial *trial) {
    struct adi_test *test = trial->test;
    enum adi_async_evidence evidence = adi_async_feed_layout(&trial->feed);
    bool is_shipped = trial->feed.plan.layout == ADI_ASYNC_SHIPPED;
    if (evidence == ADI_LAYOUT_WRONG)
        adi_report(&test->sink, "async/layout-misstated", ADI_CONSUMER,
                   is_shipped ? "a read of offset 32" : "a read of offset 24",
                   is_shipped ? "a read of offset 24" : "a read of offset 32",
                   "additional_metadata is not looked for where the adapter's async_layout has it");
    else if (evidence == ADI_LAYOUT_UNKNOWN && test->n_findings == 0 && !test->refused)
        adi_play_skip(test, "additional_metadata of the producer is not looked at: nothing tells "
                            "the layouts apart");
}

/* AS-002, AS-026: the handler is the consumer's to fill in. */
static bool is_whole(struct trial *trial) {
    const struct ArrowAsyncDeviceStreamHandler *handler = trial->handler;
    const char *missing = handler->on_schema == NULL      ? "on_schema"
                          : handler->on_next_task == NULL ? "on_next_task"
                          : handler->on_error == NULL     ? "on_error"
                          : handler->release == NULL      ? "release"
                                                          : NULL;
    if (missing == NULL) return true;
    adi_report(&trial->test->sink, "async/callback-missing", ADI_CONSUMER, "NULL", "a callback",
               "%s of the handler is not there", missing);
    trial->test->over = true; /* it waits for what cannot come */
    return false;
}

/* AS-075, AS-076: it can be called as soon as it has been handed over. */
/* AS-024, AS-027: an error, and the release, may come before any request. */
static void play(struct trial *trial) {
    struct adi_test *test = trial->test;
    adi_play_step(test, "consume_async", "%zu batches, %lld at once", trial->n,
                  (long long)trial->scenario->at_once);
    adi_call_code("consume_async", call_consume, trial);
    if (trial->code != 0) {
        refuse(trial, "consume_async", trial->code);
        return;
    }
    if (!is_whole(trial)) return;
    if (trial->turns != NULL && !trial->turns->is_asked) adi_turns_delay(trial->turns, trial->seed);
    if (adi_async_drive_start(&trial->feed, trial->handler) != 0) return;
    if (trial->turns != NULL && trial->turns->is_asked) {
        adi_turns_await(trial->turns, 2, BEGIN_MS);
    } else if (trial->turns == NULL && !trial->scenario->is_late) {
        adi_play_step(test, "drive", "another thread drives the handler at once");
        adi_call_code("consume_async", call_drive, &trial->feed);
    }
    adi_play_step(test, "consume_async_finish", "while another thread drives the handler");
    adi_call_code("consume_async_finish", call_finish, trial);
    adi_async_feed_abandon(&trial->feed);
    adi_async_drive_await(&trial->feed);
    adi_async_drive_join(&trial->feed);
    if (trial->scenario->listens) judge_layout(trial);
    test->judged = true;
    if (trial->code == 0) {
        adi_play_step(test, "get_next", "all that it has made of them");
        adi_call_code("get_next", call_collect, trial);
        if (trial->oddity == 0) judge_batches(trial);
    } else if (!was_told(&trial->feed) && !trial->feed.fails_untold) {
        refuse(trial, "consume_async_finish", trial->code);
    }
}

/* Batches, and a schema, that are not released yet, and tasks that nobody has extracted. */
static size_t count_live(const void *trial_at) {
    struct trial *trial = (struct trial *)(uintptr_t)trial_at;
    struct adi_async_feed *feed = &trial->feed;
    size_t live = adi_async_feed_lends_schema(feed);
    if (feed->handler == NULL) return 0;
    pthread_mutex_lock(&feed->lock);
    for (size_t i = 0; i < trial->n; i++)
        if (feed->settled[i])
            live += adi_monitor_live(&trial->inputs[i].monitor);
        else
            live += (int64_t)i < feed->delivered;
    pthread_mutex_unlock(&feed->lock);
    return live;
}

static void close_trial(struct trial *trial) {
    struct adi_input_watch inputs = {.live = count_live, .stream = trial};
    adi_batches_release(&trial->batches);
    adi_input_watch_end(trial->test, &inputs);
    adi_async_feed_close(&trial->feed);
    for (size_t i = 0; i < trial->n; i++) adi_guarded_close(&trial->inputs[i]);
    if (trial->n == 0 && !adi_guarded_any()) adi_guard_reset();
    free(trial->handler);
    adi_column_free(&trial->wanted);
    adi_column_free(&trial->made);
}

void adi_play_async_consume(struct adi_test *test) {
    struct trial trial = {.test = test, .scenario = &scenarios[test->now->scenario->parameter]};
    if (open_trial(&trial)) play(&trial);
    close_trial(&trial);
}

/* ---- what no producer does ---- */

/* Is the type of the case refused, however well it comes? */
static bool is_refused_anyway(struct adi_test *test, int *code) {
    struct trial trial = {.test = test, .scenario = &scenarios[0]};
    test->refused = false;
    if (open_trial(&trial)) play(&trial);
    *code = error_of(&trial);
    close_trial(&trial);
    return test->refused && *code != 0;
}

/* Nothing but a crash or a hang counts, and whatever else it does, it was not asked for. */
void adi_play_async_consume_malformed(struct adi_test *test) {
    enum adi_feed_oddity oddity = (enum adi_feed_oddity)test->now->scenario->parameter;
    struct trial trial = {.test = test,
                          .oddity = oddity,
                          .scenario = &scenarios[MALFORMED + (oddity == ADI_FEED_ENDS_TWICE)]};
    bool muted = test->muted, goes = open_trial(&trial);
    int code = 0;
    adi_play_crash_rule(test, "async/malformed-input-crashes");
    test->muted = true;
    adi_guard_ignore(true);
    if (goes) play(&trial);
    adi_guard_ignore(false);
    bool fails = error_of(&trial) != 0, was_called = test->judged;
    close_trial(&trial);
    bool refuses = fails && is_refused_anyway(test, &code);
    test->muted = muted;
    if (goes) test->refused = test->skipped = false;
    if (refuses) adi_play_refused(test, code);
    test->judged = was_called && !refuses;
    adi_play_crash_rule(test, NULL);
}

/* ---- held queues ---- */

/* DV-015: each batch has an event of its own, which is waited for before it is read. */
void adi_play_async_consume_pending(struct adi_test *test) {
    if (!adi_queue_may_hold(test)) return;
    adi_queue_hold(test, false, false);
    adi_play_async_consume(test);
    adi_queue_let_run(test);
}

void adi_play_async_consume_held(struct adi_test *test) {
    if (!adi_queue_may_hold(test)) return;
    adi_queue_hold(test, true, false);
    adi_play_async_consume(test);
    adi_queue_let_run(test);
}

/* ---- schedules ---- */

const struct adi_turns *adi_async_consume_program(struct adi_test *test,
                                                  const struct adi_feed_program *program,
                                                  uint64_t seed) {
    static struct adi_turns turns; /* threads of the consumer may come by when all is over */
    const struct scenario scenario = {
        .design = {program->batches, 0, program->fails || program->fails_first ? EIO : 0, 0},
        .at_once = program->at_once,
        .fails_first = program->fails_first,
        .fails_at = program->fails_at};
    struct trial trial;
    char text[ADI_FEED_PROGRAM];
    memset(&trial, 0, sizeof trial);
    trial.test = test;
    trial.scenario = &scenario;
    trial.turns = &turns;
    trial.seed = seed;
    adi_play_step(test, "schedule", "%s", adi_feed_program_write(program, text));
    adi_turns_begin(&turns, &program->plan);
    if (open_trial(&trial)) play(&trial);
    adi_turns_end(&turns);
    close_trial(&trial);
    return &turns;
}
