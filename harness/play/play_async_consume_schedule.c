/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a producer's calls under schedules (feed_program.h), for a consumer under test. One
 * that has asked for the schedule goes when it is its turn; any other is driven by threads and
 * delays, ten times each.
 *
 * `run` plays a sample: on the CPU, with structs, every schedule with one turn of some short
 * programs; and everywhere some by priorities. `--schedule all` plays every schedule with at most
 * two turns (turns_plan.h) of every program, and then ten thousand by priorities; `--schedule TEXT`
 * one. The short ones come first, so that none has to be shrunk.
 */
#include <string.h>

#include "device_types.h"
#include "play_async.h"

#define SEEDS     10
#define SAMPLE    6
#define BRIEFLY   8 /* programs with every schedule of one turn */
#define RANDOM    10000
#define MOST_LOST 4

/* Who blocks elsewhere than at a point costs a while each time, and is not tried for long. */
static int lost;

struct schedules {
    struct adi_test *test;
    struct adi_feed_program program;
};

static bool goes_on(const struct adi_test *test) {
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->over &&
           !test->closed && lost < MOST_LOST && !adi_test_is_long(test);
}

/* false: the consumer has not taken the schedule, and has been driven with delays. */
static bool try(struct adi_test *test, const struct adi_feed_program *program) {
    bool is_asked = false;
    for (uint64_t seed = 1; seed <= (is_asked ? 1 : SEEDS) && goes_on(test); seed++) {
        const struct adi_turns *turns = adi_async_consume_program(test, program, seed);
        is_asked = turns->is_asked;
        lost += turns->is_lost;
    }
    return is_asked;
}

static const struct adi_turns *play_planned(void *schedules_at, const struct adi_turns_plan *plan) {
    struct schedules *schedules = schedules_at;
    schedules->program.plan = *plan;
    if (!goes_on(schedules->test)) return NULL;
    const struct adi_turns *turns =
        adi_async_consume_program(schedules->test, &schedules->program, 1);
    lost += turns->is_lost;
    return turns;
}

/* The first so many programs, each under all schedules with so many turns: a part of them. */
static void explore(struct adi_test *test, size_t programs, int most,
                    const struct adi_async_part *part) {
    struct schedules schedules = {.test = test};
    size_t played = 0;
    for (size_t i = 0; i < programs && adi_feed_program_at(i) != NULL && goes_on(test); i++) {
        if (i % part->of + 1 != part->number) continue;
        adi_feed_program_read(adi_feed_program_at(i), &schedules.program);
        if (!try(test, &schedules.program)) continue;
        played += adi_turns_explore(play_planned, &schedules, most);
    }
    if (goes_on(test)) adi_play_step(test, "walked", "%zu schedules", played);
}

static void draw(struct adi_test *test, uint64_t from, uint64_t times) {
    struct adi_feed_program program;
    size_t n = 0;
    while (adi_feed_program_at(n) != NULL) n++;
    for (uint64_t i = 0; i < times && goes_on(test); i++) {
        adi_feed_program_read(adi_feed_program_at((i * 5 + from) % n), &program);
        program.plan.random = from + i;
        try(test, &program);
    }
}

void adi_play_async_consume_scheduled(struct adi_test *test) {
    struct adi_feed_program program;
    const char *wanted = test->schedule == NULL ? "" : test->schedule;
    struct adi_async_part part;
    bool is_all = adi_async_part_read(wanted, &part);
    bool is_deep = adi_device_type_is_cpu(test->device->ops->type) &&
                   strcmp(test->now->type->name, "struct") == 0;
    lost = 0;
    test->brief = is_all;
    if (is_all && !test->muted) {
        explore(test, SIZE_MAX, ADI_TURNS_MOST, &part);
        draw(test, 1 + RANDOM / part.of * (part.number - 1), RANDOM / part.of);
    } else if (is_all || wanted[0] == '\0') {
        explore(test, is_deep ? BRIEFLY : 0, 1, &(struct adi_async_part){1, 1});
        draw(test, test->seed * SAMPLE, SAMPLE);
    } else if (adi_feed_program_read(wanted, &program) == 0) {
        try(test, &program);
    } else {
        adi_play_skip(test, "--schedule: neither `all` nor a program such as `2sttel 5>1`");
    }
    test->brief = false;
    bool is_whole = test->n_findings > 0 || test->refused || test->skipped || test->over;
    if (!is_whole && lost == MOST_LOST) /* what was not tried has not passed */
        adi_play_skip(test, "threads block elsewhere than at points of the schedule");
    else if (test->n_findings == 0 && !test->refused && !test->skipped && test->closed)
        adi_play_skip(test, "what is imported is released when the implementation is closed, and "
                            "behind that there is no further schedule");
    else if (!is_whole && adi_test_is_long(test))
        adi_play_skip(test, "there is no time for more schedules");
}
