/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a consumer's calls under schedules (async_program.h). A producer that has asked for
 * the schedule goes when it is its turn; any other is driven by threads and delays, ten times each.
 *
 * `run` plays a sample: on the CPU, with structs, every schedule with one turn of some short
 * programs; and everywhere some by priorities. `--schedule all` plays every schedule with at most
 * two turns (turns_plan.h) of every program, and then ten thousand by priorities; `all 2/8` the
 * second of eight parts of that; `--schedule TEXT` one. The short ones come first, so that none has
 * to be shrunk.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "async_program.h"
#include "device_types.h"
#include "grace_period.h"
#include "play_async.h"

#define TASK_MS   50
#define BEGIN_MS  1000 /* that the producer's thread may take to come */
#define SAMPLE    16
#define SEEDS     10
#define RANDOM    10000
#define PLAIN     "r|" /* a program of one thread */
#define PRODUCERS 1    /* the number of its thread */
#define MOST_LOST 4

/* Who blocks elsewhere than at a point costs a while each time, and is not tried for long. */
static int lost;
/* A program of the case has come whole: no schedule is an error's reason. */
static bool is_known;
/* No thread of the producer has come to the schedule: it is not waited for again. */
static bool is_alone;
static size_t played; /* schedules */

static const struct adi_async_design design = {ADI_ASYNC_BATCHES, 0, 0, 0};

struct play {
    struct adi_test *test;
    struct adi_async_handler *handler;
    struct adi_turns *turns;
    const char *operations;
};

/* ---- one thread's calls ---- */

static bool has_task(const struct adi_async_handler *handler) {
    return handler->n_waiting > 0;
}

static bool has_producer(const struct adi_async_handler *handler) {
    return handler->producer != NULL;
}

static bool never(const struct adi_async_handler *handler) {
    (void)handler;
    return false;
}

/* Until it is so, or it is over. A task that none is left for is waited for a while, where no
 * schedule tells that nobody goes on. */
static void await(struct play *play, bool (*is_so)(const struct adi_async_handler *)) {
    struct adi_async_handler *handler = play->handler;
    struct adi_grace_period grace = adi_grace_period(TASK_MS);
    bool goes = true, may_never_be = is_so == has_task && play->turns->has_delays;
    while (goes && (!may_never_be || adi_grace_period_sleep(&grace))) {
        pthread_mutex_lock(&handler->lock);
        goes = !is_so(handler) && !handler->is_over && !handler->is_releasing;
        pthread_mutex_unlock(&handler->lock);
        goes = goes && !adi_turns_are_let(play->turns);
        if (goes) adi_turns_point(play->turns, true);
    }
}

/* A task whose call is not over yet is extracted all the same. */
static void extract(struct play *play) {
    await(play, has_task);
    adi_async_handler_serve(play->handler);
}

static void do_one(struct play *play, char operation) {
    await(play, has_producer);
    if (operation == 'r') adi_async_handler_request(play->handler, 1);
    if (operation == 'R') adi_async_handler_request(play->handler, 2);
    if (operation == 'c') adi_async_handler_cancel(play->handler);
    if (operation == 'x') extract(play);
}

static void do_all(void *play_at) {
    struct play *play = play_at;
    for (const char *at = play->operations; *at != '\0'; at++) {
        adi_turns_point(play->turns, false);
        do_one(play, *at);
    }
}

static void *do_elsewhere(void *play) {
    adi_turns_join(((struct play *)play)->turns);
    do_all(play);
    adi_turns_leave(((struct play *)play)->turns);
    return NULL;
}

/* When nothing goes on, nothing was cancelled, and all that was requested has come, what is left is
 * requested, so that all comes to an end. */
static void finish(void *play_at) {
    struct play *play = play_at;
    if (!play->turns->has_delays) await(play, never);
    adi_turns_let(play->turns);
    pthread_mutex_lock(&play->handler->lock);
    bool is_owed = play->handler->requested > play->handler->tasks || play->handler->is_cancelled;
    pthread_mutex_unlock(&play->handler->lock);
    if (!is_owed) adi_async_handler_request(play->handler, (int64_t)design.chunks + 1);
}

/* ---- one schedule ---- */

static void drive(struct play *play, const struct adi_async_program *program, uint64_t seed) {
    pthread_t second;
    struct play other = *play;
    struct adi_turns *turns = play->turns;
    bool has_second = program->second[0] != '\0';
    play->operations = program->first;
    other.operations = program->second;
    if (!turns->is_asked) adi_turns_delay(turns, seed);
    if (turns->is_asked) is_alone = !adi_turns_await(turns, PRODUCERS + 1, is_alone ? 0 : BEGIN_MS);
    has_second = has_second && pthread_create(&second, NULL, do_elsewhere, &other) == 0;
    if (has_second && turns->is_asked) adi_turns_await(turns, PRODUCERS + 2 - is_alone, BEGIN_MS);
    adi_call_code("request", do_all, play);
    adi_call_code("request", finish, play);
    if (has_second) pthread_join(second, NULL);
}

/* What was played; NULL: the producer has not taken the schedule. */
static const struct adi_turns *play_once(struct adi_test *test,
                                         const struct adi_async_program *program, uint64_t seed) {
    /* Threads of the producer may come by when all is over. */
    static struct adi_turns turns;
    const struct adi_async_conduct conduct = {.cancels_at = ADI_NEVER,
                                              .cancels = 1,
                                              .extraction = ADI_EXTRACT_LATER,
                                              .is_known = is_known,
                                              .turns = &turns};
    struct adi_async_trial trial;
    char text[ADI_ASYNC_PROGRAM];
    adi_play_step(test, "schedule", "%s", adi_async_program_write(program, text));
    adi_turns_begin(&turns, &program->plan);
    if (adi_async_trial_open(test, &conduct, &design, &trial) && adi_async_trial_produce(&trial)) {
        struct play play = {test, trial.handler, &turns, NULL};
        drive(&play, program, seed);
        adi_async_trial_end(&trial);
        adi_async_trial_look(&trial);
        is_known = is_known || (trial.handler->ends > 0 && !trial.handler->extract_failed);
    }
    lost += turns.is_lost;
    played++;
    adi_turns_end(&turns);
    adi_async_trial_close(&trial);
    return turns.is_asked ? &turns : NULL;
}

static bool goes_on(const struct adi_test *test) {
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->over &&
           lost < MOST_LOST && !adi_test_is_long(test);
}

/* false: the producer has not taken the schedule, and has been driven by delays. */
static bool try(struct adi_test *test, const struct adi_async_program *program) {
    bool is_asked = false;
    for (uint64_t seed = 1; seed <= (is_asked ? 1 : SEEDS) && goes_on(test); seed++)
        is_asked = play_once(test, program, seed) != NULL;
    return is_asked;
}

/* ---- many ---- */

struct explored {
    struct adi_test *test;
    struct adi_async_program program;
};

static const struct adi_turns *play_planned(void *explored_at, const struct adi_turns_plan *plan) {
    struct explored *explored = explored_at;
    explored->program.plan = *plan;
    if (!goes_on(explored->test)) return NULL;
    return play_once(explored->test, &explored->program, 1);
}

/* Without a preemption, then with one, then with more. Answers how many schedules there are. */
static size_t explore(struct adi_test *test, const struct adi_async_program *program, int most) {
    struct explored explored = {test, *program};
    return try(test, program) ? adi_turns_explore(play_planned, &explored, most) : 0;
}

static bool has_room(struct adi_test *test) {
    if (adi_log_room(test->log) > ADI_LOG_BYTES / 8) return true;
    adi_play_skip(test, "--schedule: more than a worker can tell of; in parts (`all 1/8`) it is");
    return false;
}

static void next_program(struct adi_async_program *program) {
    if (adi_async_program_next(program)) return;
    memset(program, 0, sizeof *program);
    adi_async_program_next(program);
}

static void try_all(struct adi_test *test, const struct adi_async_part *part) {
    struct adi_async_program program = {.first = ""};
    size_t n = 0, schedules = 0;
    test->brief = true;
    for (; goes_on(test) && has_room(test) && adi_async_program_next(&program); n++)
        if (n % part->of + 1 == part->number) schedules += explore(test, &program, ADI_TURNS_MOST);
    for (uint64_t i = part->number; i <= RANDOM && schedules > 0 && goes_on(test); i += part->of) {
        for (unsigned k = 0; k < part->of; k++) next_program(&program);
        program.plan.random = i;
        try(test, &program);
    }
    test->brief = false;
    if (test->n_findings == 0) adi_play_step(test, "walked", "%zu schedules", schedules);
}

static void try_sample(struct adi_test *test) {
    static const char *const briefly[] = {PLAIN, "c|", "r|r", "rx|r", "rx|c", "cr|c", "Rx|x"};
    struct adi_async_program program;
    size_t n = 0;
    bool is_deep = adi_device_type_is_cpu(test->device->ops->type) &&
                   strcmp(test->now->type->name, "struct") == 0;
    for (size_t i = 0; is_deep && i < sizeof briefly / sizeof *briefly && goes_on(test); i++) {
        adi_async_program_read(briefly[i], &program);
        if (explore(test, &program, 1) == 0) break;
    }
    while (adi_async_program_at(n) != NULL) n++;
    for (size_t i = 0; i < SAMPLE && goes_on(test); i++) {
        adi_async_program_read(adi_async_program_at((i * 5 + test->seed) % n), &program);
        program.plan.random = i % 4 == 0 ? 0 : test->seed * SAMPLE + i;
        try(test, &program);
    }
}

/* What was not tried has not passed. */
static void judge_played(struct adi_test *test) {
    char why[128];
    if (test->n_findings > 0 || test->refused || test->skipped || test->over) return;
    if (lost < MOST_LOST && !adi_test_is_long(test)) return;
    snprintf(why, sizeof why, "after %zu schedules: %s", played,
             lost < MOST_LOST ? "there is no time for more"
                              : "threads block elsewhere than at points of the schedule");
    adi_play_skip(test, why);
}

/* An error is a refusal unless a program of one thread has come whole: one does first here, too. */
static void try_one(struct adi_test *test, const struct adi_async_program *program) {
    struct adi_async_program plain;
    adi_async_program_read(PLAIN, &plain);
    if (program->second[0] != '\0') try(test, &plain);
    if (goes_on(test)) try(test, program);
}

void adi_play_async_scheduled(struct adi_test *test) {
    struct adi_async_program program;
    struct adi_async_part part;
    const char *wanted = test->schedule == NULL ? "" : test->schedule;
    bool is_all = adi_async_part_read(wanted, &part);
    lost = 0;
    is_known = is_alone = false;
    played = 0;
    if (wanted[0] == '\0' || (test->muted && is_all))
        try_sample(test);
    else if (is_all)
        try_all(test, &part);
    else if (adi_async_program_read(wanted, &program) == 0)
        try_one(test, &program);
    else
        adi_play_skip(test, "--schedule: neither `all` nor a program such as `rx|c 5>2`");
    judge_played(test);
}
