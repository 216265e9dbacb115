/* SPDX-License-Identifier: Apache-2.0
 *
 * The asynchronous producer and consumer against each other: each way to end, played by one thread
 * that steps both, in turns that a list of preemptions or a seed decides, and by threads.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async_pair.h"
#include "async_turns.h"
#include "failing.h"
#include "metadata.h"
#include "move.h"
#include "stream.h"

Suite *ref_async_suite(void);

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define SEEDS       40
#define ANY         (-1)
#define LONG_TEXT   ((size_t)1 << 20)

static const struct adi_source_chunk three[] = {{"nulls", 1, 0}, {"empty", 2, 0}, {"offset", 3, 0}};
static const struct adi_source_chunk many[] = {{"one", 1, 40}};

static const struct adi_source_plan of_three = {.type = "struct", .chunks = three, .n_chunks = 3},
                                    of_one = {.type = "struct", .chunks = three, .n_chunks = 1},
                                    of_none = {.type = "struct"},
                                    of_many = {.type = "struct", .chunks = many, .n_chunks = 1},
                                    without_schema = {"struct", three, 3,
                                                      .schema_error = {EPERM, "no schema"}},
                                    that_fails = {"struct", three, 3, .error = {EIO, "dry"}},
                                    that_fails_mutely = {"struct", three, 3,
                                                         .error = {ENOSPC, NULL}};

/* What comes of it, on any schedule. ANY: that depends. */
struct wanted {
    int schemas, tasks, ends, errors, given_up;
    int copied;
    int code; /* of the result, or of its schema where there are no schemas */
    const char *text;
};

static const struct row {
    const char *name;
    const struct adi_source_plan *plan;
    struct adi_async_produce produce;
    struct adi_async_consume consume;
    struct wanted wanted;
} rows[] = {
    {"one at a time", &of_three, {0}, {.at_once = 1}, {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"all at once", &of_three, {0}, {.at_once = INT64_MAX}, {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"as many as there are", &of_three, {0}, {.at_once = 3}, {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"later",
     &of_three,
     {0},
     {.at_once = 2, .extracts = ADI_ASYNC_LATER},
     {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"last first",
     &of_three,
     {0},
     {.at_once = 3, .extracts = ADI_ASYNC_LAST_FIRST},
     {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"given up", &of_three, {0}, {.at_once = 1, .gives_up = true}, {1, 3, 1, 0, 3, 0, 0, NULL}},
    {"given up later",
     &of_three,
     {0},
     {.at_once = 1, .gives_up = true, .extracts = ADI_ASYNC_LATER},
     {1, 3, 1, 0, 3, 0, 0, NULL}},
    {"an end without a request", &of_none, {0}, {0}, {1, 0, 1, 0, 0, 0, 0, NULL}},
    {"pulled late", &of_three, {.pulls_late = true}, {.at_once = 1}, {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"released after tasks",
     &of_three,
     {.releases_after_tasks = true},
     {.at_once = 3, .extracts = ADI_ASYNC_LATER},
     {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"printed layout",
     &of_three,
     {.layout = ADI_ASYNC_WITH_RELEASE},
     {.at_once = 1, .layout = ADI_ASYNC_WITH_RELEASE},
     {1, 3, 1, 0, 0, 3, 0, NULL}},
    {"many",
     &of_many,
     {0},
     {.at_once = 3, .extracts = ADI_ASYNC_LAST_FIRST},
     {1, 40, 1, 0, 0, 40, 0, NULL}},

    {"no schema", &without_schema, {0}, {.at_once = 1}, {0, 0, 0, 1, 0, 0, EPERM, "no schema"}},
    {"the stream fails", &that_fails, {0}, {.at_once = 1}, {1, 3, 0, 1, 0, 3, EIO, "dry"}},
    {"it fails without a text",
     &that_fails_mutely,
     {0},
     {.at_once = 1},
     {1, 3, 0, 1, 0, 3, ENOSPC, NULL}},
    {"an extraction fails",
     &of_many,
     {.extract_fails_at = 2, .extract_code = EBADMSG, .extract_text = "cannot decode"},
     {.at_once = 1},
     {1, 2, 0, 1, 0, 1, EBADMSG, "cannot decode"}},
    {"a later extraction fails",
     &of_many,
     {.extract_fails_at = 2, .extract_code = EBADMSG, .extract_text = "cannot decode"},
     {.at_once = 2, .extracts = ADI_ASYNC_LATER},
     {1, ANY, 0, 1, 0, 1, EBADMSG, "cannot decode"}},
    {"an extraction after the end fails",
     &of_three,
     {.extract_fails_at = 3, .extract_code = EBADMSG, .releases_after_tasks = true},
     {.at_once = 3, .extracts = ADI_ASYNC_LATER},
     {1, 3, ANY, 1, 0, 2, EBADMSG, NULL}},

    {"the schema is refused",
     &of_three,
     {0},
     {.at_once = 1, .schema_refusal = EPROTO},
     {1, 0, 0, 0, 0, 0, EPROTO, "the schema was refused"}},
    {"a task is refused",
     &of_three,
     {0},
     {.at_once = 3, .refuses_at = 2, .task_refusal = EPROTO},
     {1, 2, 0, 0, 1, 1, 0, NULL}},
    {"a task is refused and taken back",
     &of_three,
     {.takes_back = true},
     {.at_once = 3, .refuses_at = 2, .task_refusal = EPROTO},
     {1, 2, 0, 0, 1, 1, 0, NULL}},
    {"a schema that is cancelled",
     &of_three,
     {0},
     {.cancels_schema = true},
     {1, 0, 0, 0, 0, 0, 0, NULL}},
    {"a request after a cancel",
     &of_three,
     {0},
     {.at_once = 3, .cancels_schema = true},
     {1, 0, 0, 0, 0, 0, 0, NULL}},
    {"a cancel between tasks",
     &of_many,
     {0},
     {.at_once = 1, .cancels_at = 2},
     {1, 2, 0, 0, 0, 2, 0, NULL}},
    {"tasks after a cancel",
     &of_many,
     {.after_cancel = 3},
     {.at_once = 10, .cancels_at = 2},
     {1, 5, 0, 0, 0, 5, 0, NULL}},
    {"an end after a cancel",
     &of_many,
     {.ends_after_cancel = true},
     {.at_once = 10, .cancels_at = 2},
     {1, 2, 1, 0, 0, 2, 0, NULL}},
    {"an error after a cancel",
     &that_fails,
     {.after_cancel = 9},
     {.at_once = 9, .cancels_at = 1},
     {1, 3, 0, 0, 0, 3, 0, NULL}},
};

static bool fits(int seen, int wanted) {
    return wanted == ANY || seen == wanted;
}

/* The stream of what came has no schema, and says why, each time. */
static void judge_no_schema(struct adi_batches *batches, int code, const char *text) {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema = {.release = NULL};
    ck_assert_int_eq(adi_batches_stream(batches, &stream, NULL), 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(stream.get_schema(&stream, &schema), code);
        ck_assert_pstr_eq(stream.get_last_error(&stream), text);
        ck_assert(schema.release == NULL);
    }
    adi_array_stream_release(&stream);
}

static void judge(const struct row *row, struct pair *pair, const char *how) {
    const struct wanted *wanted = &row->wanted;
    struct observer *seen = &pair->observer;
    struct adi_batches batches;
    char about[160];
    snprintf(about, sizeof about, "%s, %s", row->name, how);
    int refusal = adi_async_producer_refusal(pair->producer);
    pair_close(pair, about, &batches);
    ck_assert_msg(refusal == (row->consume.schema_refusal | row->consume.task_refusal),
                  "%s: refused with %d", about, refusal);
    ck_assert_msg(fits(seen->schemas, wanted->schemas) && fits(seen->tasks, wanted->tasks) &&
                      fits(seen->ends, wanted->ends) && fits(seen->errors, wanted->errors) &&
                      fits(seen->given_up, wanted->given_up),
                  "%s: %d schemas, %d tasks, %d ends, %d errors, %d given up", about, seen->schemas,
                  seen->tasks, seen->ends, seen->errors, seen->given_up);
    bool has_schema = wanted->schemas > 0 && row->consume.schema_refusal == 0;
    if (has_schema) pair_judge(row->plan, (size_t)wanted->copied, &batches, about);
    const struct adi_last_error *error = has_schema ? &batches.error : &batches.schema_error;
    ck_assert_msg(error->code == wanted->code, "%s: %d", about, error->code);
    if (wanted->text == NULL)
        ck_assert_msg(error->text == NULL, "%s: %s", about, error->text);
    else
        ck_assert_msg(error->text != NULL && strcmp(error->text, wanted->text) == 0, "%s: %s",
                      about, error->text == NULL ? "NULL" : error->text);
    if (!has_schema) judge_no_schema(&batches, wanted->code, wanted->text);
    adi_batches_release(&batches);
}

START_TEST(one_thread_steps_both)
{
    struct pair pair;
    pair_open(&pair, rows[_i].plan, &rows[_i].produce, &rows[_i].consume);
    ck_assert_msg(pair_drive(&pair), "%s: both wait", rows[_i].name);
    judge(&rows[_i], &pair, "stepped");
}
END_TEST

START_TEST(threads_run_both)
{
    for (int round = 0; round < 20; round++) {
        struct pair pair;
        pair_open(&pair, rows[_i].plan, &rows[_i].produce, &rows[_i].consume);
        ck_assert_int_eq(adi_async_producer_start(pair.producer, NULL), 0);
        adi_async_consumer_wait(pair.consumer);
        /* The release is passed on before the observer has returned from it. */
        adi_async_producer_join(pair.producer);
        judge(&rows[_i], &pair, "threads");
    }
}
END_TEST

/* ---- metadata, texts and layouts ---- */

/* A producer that only releases its handler has said nothing, and an empty stream is something. */
START_TEST(what_was_never_told_is_no_empty_stream)
{
    struct ArrowAsyncDeviceStreamHandler handler;
    struct adi_async_consumer *consumer;
    struct adi_batches batches;
    ck_assert_int_eq(adi_async_consumer_open(&rows[0].consume, &handler, &consumer, NULL), 0);
    handler.release(&handler);
    adi_async_consumer_close(consumer, &batches);
    judge_no_schema(&batches, EINVAL, "the schema is not known");
}
END_TEST

static void same_metadata(const char *seen, const char *wanted) {
    ck_assert_ptr_nonnull(seen);
    ck_assert_ptr_ne(seen, wanted);
    ck_assert_mem_eq(seen, wanted, adi_metadata_bytes(wanted));
}

START_TEST(metadata_comes_at_each_place_in_both_layouts)
{
    static char long_text[LONG_TEXT];
    memset(long_text, 'y', LONG_TEXT - 1);
    char streams[64], tasks[64], errors[64];
    const struct adi_source_plan fails = {"struct", three, 3, .error = {EIO, long_text}};
    const struct adi_async_produce how = {.layout =
                                              _i == 0 ? ADI_ASYNC_SHIPPED : ADI_ASYNC_WITH_RELEASE,
                                          .stream_metadata = pair_metadata("rows", "3", streams),
                                          .task_metadata = pair_metadata("task", "", tasks),
                                          .error_metadata = pair_metadata("", "why", errors)};
    struct pair pair;
    struct adi_batches batches;
    pair_open(&pair, &fails, &how, &(struct adi_async_consume){.layout = how.layout, .at_once = 1});
    ck_assert(pair_drive(&pair));
    const struct adi_async_seen *seen = adi_async_consumer_seen(pair.consumer);
    same_metadata(seen->stream_metadata, how.stream_metadata);
    same_metadata(seen->task_metadata, how.task_metadata);
    same_metadata(seen->error_metadata, how.error_metadata);
    ck_assert(seen->has_failed && seen->has_schema && seen->is_released && !seen->has_ended);
    pair_close(&pair, "", &batches);
    ck_assert_int_eq(batches.error.code, EIO);
    ck_assert(strcmp(batches.error.text, long_text) == 0);
    adi_batches_release(&batches);
}
END_TEST

START_TEST(a_layout_is_where_the_metadata_is)
{
    enum adi_async_layout layout = ADI_ASYNC_WITH_RELEASE;
    ck_assert(
        adi_async_layout_at(offsetof(struct ArrowAsyncProducer, additional_metadata), &layout));
    ck_assert_int_eq(layout, ADI_ASYNC_SHIPPED);
    ck_assert(
        adi_async_layout_at(offsetof(struct adi_published_producer, additional_metadata), &layout));
    ck_assert_int_eq(layout, ADI_ASYNC_WITH_RELEASE);
    ck_assert(!adi_async_layout_at(0, &layout));
    ck_assert_uint_eq(sizeof(struct adi_shipped_producer), sizeof(struct ArrowAsyncProducer));

    /* Read with the other layout, the metadata is the private data, and the other way round. */
    static const char metadata[4];
    int mine;
    union adi_any_producer any;
    memset(&any, 0, sizeof any);
    struct adi_shipped_producer members = {ARROW_DEVICE_CPU, NULL, NULL, metadata, &mine};
    adi_async_fill(ADI_ASYNC_SHIPPED, &members, &any);
    ck_assert_ptr_eq(adi_async_metadata(&any.producer, ADI_ASYNC_SHIPPED), metadata);
    ck_assert_ptr_eq(adi_async_private_data(&any.producer, ADI_ASYNC_SHIPPED), &mine);
    ck_assert_ptr_eq(adi_async_metadata(&any.producer, ADI_ASYNC_WITH_RELEASE), (char *)&mine);
    adi_async_fill(ADI_ASYNC_WITH_RELEASE, &members, &any);
    ck_assert_ptr_eq(adi_async_metadata(&any.producer, ADI_ASYNC_WITH_RELEASE), metadata);
    ck_assert_ptr_eq(adi_async_private_data(&any.producer, ADI_ASYNC_WITH_RELEASE), &mine);
    ck_assert_ptr_eq(adi_async_private_data(&any.producer, ADI_ASYNC_SHIPPED), (void *)metadata);
    any.published.release(&any.producer);
}
END_TEST

/* ---- what a chunk costs ---- */

static int allocations(int64_t chunks) {
    const struct adi_source_chunk ones[] = {{"one", 1, chunks}};
    const struct adi_source_plan of = {"int32", ones, 1, {0, NULL}, {0, NULL}};
    const struct adi_async_consume drops = {.at_once = 4};
    struct ArrowAsyncDeviceStreamHandler handler;
    struct adi_async_consumer *consumer;
    struct adi_async_producer *producer;
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream in;
    ck_assert_int_eq(adi_source_open(&of, &host, NULL), 0);
    ck_assert_int_eq(adi_stream_wrap(&host, &in, NULL), 0);
    ck_assert_int_eq(adi_async_consumer_open(&drops, &handler, &consumer, NULL), 0);
    ck_assert_int_eq(adi_async_producer_open(NULL, &in, &handler, &producer, NULL), 0);
    failing_open();
    adi_async_producer_run(producer);
    int calls = failing_close().calls;
    ck_assert_int_eq(adi_async_consumer_seen(consumer)->tasks, chunks);
    adi_async_producer_close(producer);
    adi_async_consumer_close(consumer, NULL);
    return calls;
}

START_TEST(a_chunk_is_one_allocation)
{ ck_assert_int_eq(allocations(1000) - allocations(10), 990); }
END_TEST

/* ---- turns ---- */

static void run_producer(void *producer) {
    adi_async_producer_run(producer);
}

static void run_consumer(void *consumer) {
    adi_async_consumer_wait(consumer);
}

static void do_nothing(void *state) {
    (void)state;
}

static void cancel_twice(void *consumer) {
    adi_async_consumer_cancel(consumer);
    adi_async_consumer_request(consumer, 2);
    adi_async_consumer_cancel(consumer);
}

static void play_turns(const struct row *row, struct turns *turns, void (*third)(void *),
                       struct pair *pair, const char *about) {
    struct adi_async_produce produce = row->produce;
    struct adi_async_consume consume = row->consume;
    produce.schedule = consume.schedule = &turns->schedule;
    pair_open(pair, row->plan, &produce, &consume);
    const struct turns_actor actors[TURNS_ACTORS] = {
        {run_producer, pair->producer}, {run_consumer, pair->consumer}, {third, pair->consumer}};
    ck_assert_msg(turns_play(turns, actors), "%s, %s: all wait", row->name, about);
}

START_TEST(any_seed_has_the_same_outcome)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct turns turns;
        struct pair pair;
        char about[32];
        turns_open(&turns);
        turns.random = seed * 0x9e3779b97f4a7c15U;
        snprintf(about, sizeof about, "seed %d", (int)seed);
        play_turns(&rows[_i], &turns, do_nothing, &pair, about);
        judge(&rows[_i], &pair, about);
    }
}
END_TEST

/* Every schedule with at most two preemptions, of a stream of one chunk that a third thread
 * cancels. What comes of it depends; that it ends, and by the rules, does not. */
static const struct row cancelled[] = {
    {"cancel", &of_one, {0}, {.at_once = 1, .extracts = ADI_ASYNC_LATER}, {0}},
    {"cancel and fail",
     &of_one,
     {.extract_fails_at = 1, .extract_code = EIO},
     {.at_once = 1, .extracts = ADI_ASYNC_LATER},
     {0}},
};

static int play_cancelled(const struct row *row, struct preemption first,
                          struct preemption second) {
    struct turns turns;
    struct pair pair;
    char about[80];
    snprintf(about, sizeof about, "%s, %d at %d, %d at %d", row->name, first.actor, first.at,
             second.actor, second.at);
    turns_open(&turns);
    turns.preemptions[0] = first;
    turns.preemptions[1] = second;
    play_turns(row, &turns, cancel_twice, &pair, about);
    pair_close(&pair, about, NULL);
    return turns.points;
}

START_TEST(every_schedule_with_two_preemptions_ends_by_the_rules)
{
    const struct row *row = &cancelled[_i];
    const struct preemption none = {0, 0};
    int played = 1, points = play_cancelled(row, none, none);
    for (int first = 1; first <= points; first++)
        for (int i = 0; i < TURNS_ACTORS; i++) {
            int more = play_cancelled(row, (struct preemption){first, i}, none);
            played++;
            for (int second = first + 1; second <= more; second++)
                for (int j = 0; j < TURNS_ACTORS; j++, played++)
                    play_cancelled(row, (struct preemption){first, i},
                                   (struct preemption){second, j});
        }
    ck_assert_int_gt(played, 1000);
    printf("%s: %d schedules\n", row->name, played);
    fflush(stdout);
}
END_TEST

Suite *ref_async_suite(void) {
    Suite *suite = suite_create("ref_async");
    TCase *pairs = tcase_create("pairs"), *turns = tcase_create("turns");
    tcase_set_timeout(pairs, 120);
    tcase_add_loop_test(pairs, one_thread_steps_both, 0, (int)COUNT(rows));
    tcase_add_loop_test(pairs, threads_run_both, 0, (int)COUNT(rows));
    tcase_add_loop_test(pairs, metadata_comes_at_each_place_in_both_layouts, 0, 2);
    tcase_add_test(pairs, what_was_never_told_is_no_empty_stream);
    tcase_add_test(pairs, a_chunk_is_one_allocation);
    tcase_add_test(pairs, a_layout_is_where_the_metadata_is);
    suite_add_tcase(suite, pairs);
    tcase_set_timeout(turns, 300);
    tcase_add_loop_test(turns, any_seed_has_the_same_outcome, 0, (int)COUNT(rows));
    tcase_add_loop_test(turns, every_schedule_with_two_preemptions_ends_by_the_rules, 0,
                        (int)COUNT(cancelled));
    suite_add_tcase(suite, turns);
    return suite;
}
