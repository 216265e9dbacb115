/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints traces of the asynchronous producer and consumer of ref/, for tests/model/traces.py: of
 * each program below those of schedules that seeds decide, or of every schedule with at most two
 * preemptions (one, where there is more than one batch).
 *
 *   traces SEEDS | traces all
 *
 * A line is a trace: program, batches, 1 if the source fails behind them (2: if it has no schema),
 * and the events as thread:event:of, by the numbers of async_observer.h. Thread 0 is the
 * producer's, 1 the one that extracts what was kept, 2 another of the consumer.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async_pair.h"
#include "async_turns.h"

#define COUNT(rows)  (sizeof(rows) / sizeof *(rows))
#define MOST_EVENTS  200
#define MOST_REQUEST 9 /* the model counts no further */

struct trace {
    int count;
    struct {
        int me, event, of;
    } events[MOST_EVENTS];
};

static void add(void *state, int event, int64_t of) {
    struct trace *trace = state;
    if (trace->count == MOST_EVENTS) return;
    int n = of < 0 ? 0 : of > MOST_REQUEST ? MOST_REQUEST : (int)of;
    trace->events[trace->count].me = turns_self();
    trace->events[trace->count].event = event;
    trace->events[trace->count++].of = n;
}

/* ---- programs ---- */

static void do_nothing(void *consumer) {
    (void)consumer;
}

static void cancel_twice(void *consumer) {
    adi_async_consumer_cancel(consumer);
    adi_async_consumer_request(consumer, 2);
    adi_async_consumer_cancel(consumer);
}

static void request_more(void *consumer) {
    adi_async_consumer_request(consumer, 1);
    adi_async_consumer_request(consumer, INT64_MAX);
}

static void request_none(void *consumer) {
    adi_async_consumer_request(consumer, 0);
    adi_async_consumer_request(consumer, 1);
}

static const struct adi_source_chunk chunks[] = {{"nulls", 1, 0}, {"empty", 2, 0}, {"one", 3, 0}};
static const struct adi_source_plan of_three = {.type = "struct", .chunks = chunks, .n_chunks = 3},
                                    of_one = {.type = "struct", .chunks = chunks, .n_chunks = 1},
                                    of_none = {.type = "struct"},
                                    without_schema = {"struct", chunks, 1,
                                                      .schema_error = {EPERM, "no schema"}},
                                    that_fails = {"struct", chunks, 1, .error = {EIO, "dry"}};

#define LATER    .extracts = ADI_ASYNC_LATER
#define REVERSED .extracts = ADI_ASYNC_LAST_FIRST

static const struct program {
    const char *name;
    const struct adi_source_plan *plan;
    void (*third)(void *consumer);
    struct adi_async_produce produce;
    struct adi_async_consume consume;
} programs[] = {
    {"cancel", &of_one, cancel_twice, {0}, {.at_once = 1, LATER}},
    {"cancel-three", &of_three, cancel_twice, {0}, {.at_once = 2}},
    {"one-at-a-time", &of_three, do_nothing, {0}, {.at_once = 1}},
    {"all-at-once", &of_three, request_more, {0}, {.at_once = 3}},
    {"later", &of_three, do_nothing, {0}, {.at_once = 2, LATER}},
    {"last-first", &of_three, request_more, {0}, {.at_once = 3, REVERSED}},
    {"given-up", &of_one, cancel_twice, {0}, {.at_once = 1, .gives_up = true}},
    {"none", &of_none, request_more, {0}, {0}},
    {"none-cancelled", &of_none, cancel_twice, {0}, {.at_once = 1}},
    {"pulled-late", &of_one, request_more, {.pulls_late = true}, {.at_once = 1}},
    {"no-schema", &without_schema, cancel_twice, {0}, {.at_once = 1}},
    {"fails", &that_fails, do_nothing, {0}, {.at_once = 1, LATER}},
    {"fails-cancelled", &that_fails, cancel_twice, {.after_cancel = 1}, {.at_once = 2, LATER}},
    {"extraction-fails",
     &of_three,
     do_nothing,
     {.extract_fails_at = 2, .extract_code = EIO},
     {.at_once = 3, LATER}},
    {"extraction-fails-cancelled",
     &of_one,
     cancel_twice,
     {.extract_fails_at = 1, .extract_code = EIO},
     {.at_once = 1, LATER}},
    {"schema-refused", &of_one, cancel_twice, {0}, {.schema_refusal = EPROTO}},
    {"task-refused",
     &of_three,
     cancel_twice,
     {.takes_back = true},
     {.at_once = 3, .refuses_at = 2, .task_refusal = EPROTO, LATER}},
    {"request-of-none", &of_one, request_none, {0}, {.at_once = 1}},
    {"cancel-within",
     &of_three,
     request_more,
     {.after_cancel = 1},
     {.at_once = 2, .cancels_at = 1, LATER}},
    {"cancel-in-schema", &of_one, request_more, {0}, {.at_once = 1, .cancels_schema = true}},
    {"end-after-cancel",
     &of_one,
     cancel_twice,
     {.ends_after_cancel = true, .after_cancel = 1},
     {.at_once = 1, LATER}},
};

struct producing {
    struct adi_async_producer *producer;
    struct trace *trace;
};

static void produce(void *state) {
    struct producing *producing = state;
    adi_async_producer_run(producing->producer);
    add(producing->trace, OBSERVED_GONE, 0);
}

static void consume(void *consumer) {
    adi_async_consumer_wait(consumer);
}

static void print(const struct program *program, const struct trace *trace) {
    const struct adi_source_plan *plan = program->plan;
    int fails = plan->schema_error.code != 0 ? 2 : plan->error.code != 0;
    printf("%s %d %d", program->name, (int)plan->n_chunks, fails);
    for (int i = 0; i < trace->count; i++)
        printf(" %d:%d:%d", trace->events[i].me, trace->events[i].event, trace->events[i].of);
    printf("\n");
}

/* How many points there were. */
static int play(const struct program *program, struct turns *turns) {
    struct adi_async_produce how = program->produce;
    struct adi_async_consume wants = program->consume;
    struct trace trace = {0};
    struct pair pair;
    how.schedule = wants.schedule = &turns->schedule;
    pair_open(&pair, program->plan, &how, &wants);
    pair.observer.saw = add;
    pair.observer.state = &trace;
    struct producing producing = {pair.producer, &trace};
    const struct turns_actor actors[TURNS_ACTORS] = {
        {produce, &producing}, {consume, pair.consumer}, {program->third, pair.consumer}};
    if (!turns_play(turns, actors) || trace.count == MOST_EVENTS) {
        fprintf(stderr, "traces: %s: all wait, or there is no end\n", program->name);
        exit(1);
    }
    print(program, &trace);
    pair_close(&pair, program->name, NULL);
    return turns->points;
}

static int play_preempted(const struct program *program, struct preemption first,
                          struct preemption second) {
    struct turns turns;
    turns_open(&turns);
    turns.preemptions[0] = first;
    turns.preemptions[1] = second;
    return play(program, &turns);
}

static void play_all(const struct program *program) {
    const struct preemption none = {0, 0};
    int points = play_preempted(program, none, none);
    for (int first = 1; first <= points; first++)
        for (int i = 0; i < TURNS_ACTORS; i++) {
            int more = play_preempted(program, (struct preemption){first, i}, none);
            if (program->plan->n_chunks > 1) continue;
            for (int second = first + 1; second <= more; second++)
                for (int j = 0; j < TURNS_ACTORS; j++)
                    play_preempted(program, (struct preemption){first, i},
                                   (struct preemption){second, j});
        }
}

static void play_seeds(const struct program *program, uint64_t seeds) {
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct turns turns;
        turns_open(&turns);
        turns.random = seed * 0x9e3779b97f4a7c15U;
        play(program, &turns);
    }
}

static const char *how_many;

/* A test, since what it plays with may fail one. */
START_TEST(every_program_is_played)
{
    const struct program *program = &programs[_i];
    if (strcmp(how_many, "all") == 0)
        play_all(program);
    else
        play_seeds(program, strtoull(how_many, NULL, 10));
}
END_TEST

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    how_many = argv[1];
    Suite *suite = suite_create("traces");
    TCase *tcase = tcase_create("programs");
    tcase_add_loop_test(tcase, every_program_is_played, 0, (int)COUNT(programs));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < failed; i++) fprintf(stderr, "traces: %s\n", tr_msg(failures[i]));
    free(failures);
    srunner_free(runner);
    return failed > 0;
}
