/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a consumer's calls under schedules (async_program.h). A producer that has asked for
 * the schedule goes when it is its turn; any other is driven by threads and delays, ten times each.
 *
 * `run` plays a sample: on the CPU, with structs, every schedule with one preemption of some short
 * programs; and everywhere some by priorities. `--schedule all` plays every schedule with at most
 * two preemptions of every program, and then ten thousand by priorities; `--schedule TEXT` one.
 * The short ones come first, so that none has to be shrunk.
 */
#include <errno.h>
#include <pthread.h>
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
#define PRODUCERS 1 /* the number of its thread */
#define MOST_LOST 8
#define MOST      64 /* programs */

/* Who blocks elsewhere than at a point costs a while each time, and is not tried for long. */
static int lost;

static const struct adi_async_design design = {2, 0, 0, 0};

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
    if (turns->is_asked) adi_turns_await(turns, PRODUCERS + 1, BEGIN_MS);
    has_second = has_second && pthread_create(&second, NULL, do_elsewhere, &other) == 0;
    if (has_second && turns->is_asked) adi_turns_await(turns, PRODUCERS + 2, BEGIN_MS);
    adi_call_code("request", do_all, play);
    adi_call_code("request", finish, play);
    if (has_second) pthread_join(second, NULL);
}

struct tried {
    int points;
    bool is_asked; /* the producer took the schedule */
};

static struct tried play_once(struct adi_test *test, const struct adi_async_program *program,
                              uint64_t seed) {
    /* Threads of the producer may come by when all is over. */
    static struct adi_turns turns;
    const struct adi_async_conduct conduct = {
        .cancels_at = ADI_NEVER, .cancels = 1, .extraction = ADI_EXTRACT_LATER, .turns = &turns};
    struct adi_async_trial trial;
    char text[ADI_ASYNC_PROGRAM];
    adi_play_step(test, "schedule", "%s", adi_async_program_write(program, text));
    adi_turns_begin(&turns, &program->plan);
    if (adi_async_trial_open(test, &conduct, &design, &trial) && adi_async_trial_produce(&trial)) {
        struct play play = {test, trial.handler, &turns, NULL};
        drive(&play, program, seed);
        adi_async_trial_end(&trial);
        adi_async_trial_look(&trial);
    }
    const struct tried tried = {turns.points, turns.is_asked};
    lost += turns.is_lost;
    adi_turns_end(&turns);
    adi_async_trial_close(&trial);
    return tried;
}

static bool goes_on(const struct adi_test *test) {
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->over &&
           lost < MOST_LOST;
}

static struct tried try(struct adi_test *test, const struct adi_async_program *program) {
    struct tried tried = {0, false};
    for (uint64_t seed = 1; seed <= (tried.is_asked ? 1 : SEEDS) && goes_on(test); seed++)
        tried = play_once(test, program, seed);
    return tried;
}

/* ---- many ---- */

/* A further one, at each point behind the `i` that there are. */
static void try_preemptions(struct adi_test *test, struct adi_async_program *program, int i,
                            int points, int most) {
    struct adi_preemption *next = &program->plan.preemptions[i];
    for (next->at = i == 0 ? 1 : next[-1].at + 1; next->at <= points; next->at++)
        for (next->actor = 0; next->actor < PRODUCERS + 2; next->actor++) {
            if (!goes_on(test)) return;
            int more = try(test, program).points;
            if (i + 1 < most) try_preemptions(test, program, i + 1, more, most);
        }
    *next = (struct adi_preemption){0, 0};
}

/* Without a preemption, then with one, then with more. */
static struct tried try_program(struct adi_test *test, const char *text, int most) {
    struct adi_async_program program;
    struct tried tried = {0, false};
    if (adi_async_program_read(text, &program) != 0) return tried;
    tried = try(test, &program);
    for (int n = 1; n <= most && tried.is_asked; n++)
        try_preemptions(test, &program, 0, tried.points, n);
    return tried;
}

static void try_all(struct adi_test *test) {
    struct adi_async_program program;
    int points[MOST] = {0};
    size_t n = 0;
    bool is_asked = false;
    test->brief = true;
    for (; adi_async_program_at(n) != NULL && goes_on(test); n++) {
        struct tried tried = try_program(test, adi_async_program_at(n), ADI_TURNS_MOST);
        points[n] = tried.points;
        is_asked = tried.is_asked;
    }
    for (uint64_t i = 1; i <= RANDOM && is_asked && goes_on(test); i++) {
        adi_async_program_read(adi_async_program_at(i % n), &program);
        program.plan.random = i;
        program.plan.points = points[i % n];
        try(test, &program);
    }
    test->brief = false;
}

static void try_sample(struct adi_test *test) {
    static const char *const briefly[] = {"r|", "c|", "r|r", "rx|x", "rx|c", "Rx|x"};
    struct adi_async_program program;
    size_t n = 0;
    bool is_deep = adi_device_type_is_cpu(test->device->ops->type) &&
                   strcmp(test->now->type->name, "struct") == 0;
    for (size_t i = 0; is_deep && i < sizeof briefly / sizeof *briefly && goes_on(test); i++)
        if (!try_program(test, briefly[i], 1).is_asked) break;
    while (adi_async_program_at(n) != NULL) n++;
    for (size_t i = 0; i < SAMPLE && goes_on(test); i++) {
        adi_async_program_read(adi_async_program_at((i * 5 + test->seed) % n), &program);
        program.plan.random = i % 4 == 0 ? 0 : test->seed * SAMPLE + i;
        program.plan.points = 40;
        try(test, &program);
    }
}

void adi_play_async_scheduled(struct adi_test *test) {
    struct adi_async_program program;
    const char *wanted = test->schedule;
    lost = 0;
    if (wanted == NULL || wanted[0] == '\0' || (test->muted && strcmp(wanted, "all") == 0))
        try_sample(test);
    else if (strcmp(wanted, "all") == 0)
        try_all(test);
    else if (adi_async_program_read(wanted, &program) == 0)
        try(test, &program);
    else
        adi_play_skip(test, "--schedule: neither `all` nor a program such as `rx|c 5>2`");
}
