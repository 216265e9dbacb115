/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <errno.h>

#define FIRST_TRIM 8

void sim_clock_learn_all(const struct sim_clock *clock) {
    sim_ticks_learn(clock->ticks);
}

static bool is_empty(const struct sim_clock *clock) {
    return sim_ticks_are_learned(clock->ticks);
}

/* Is the tick in the clock of a queue whose last command this is? */
static bool covers(const struct sim_clock *clock, struct sim_tick last, struct sim_tick tick) {
    return (tick.component == last.component && tick.seq <= last.seq) ||
           tick.seq <= sim_ticks_of(clock->ticks, tick.component);
}

static int trim(struct sim_clock *clock) {
    if (sim_ticks_count(clock->ticks) < clock->trim_at) return 0;
    int code = sim_ticks_trim(&clock->ticks);
    size_t twice = sim_ticks_count(clock->ticks) * 2;
    clock->trim_at = twice < FIRST_TRIM ? FIRST_TRIM : twice;
    return code;
}

struct sim_clock sim_clock_copy(const struct sim_clock *clock) {
    sim_ticks_retain(clock->ticks);
    return *clock;
}

int sim_clock_join(struct sim_clock *clock, struct sim_tick next, const struct sim_clock *from,
                   struct sim_tick last) {
    struct sim_tick mine = {next.component, next.seq - 1};
    struct sim_tick all = {last.component, last.seq < from->since ? from->since : last.seq};
    if (covers(clock, mine, all)) return 0;
    bool adopts = is_empty(clock) || covers(from, last, clock->all);
    bool adds = !adopts && !is_empty(from) && !covers(clock, mine, from->all);
    struct sim_clock made = sim_clock_copy(adopts ? from : clock);
    int code = adds ? sim_ticks_unite(&made.ticks, from->ticks) : 0;
    if (code == 0 && last.seq > sim_clock_learned(last.component))
        code = sim_ticks_raise(&made.ticks, last);
    if (code == 0) code = trim(&made);
    if (code != 0) {
        sim_clock_free(&made);
        return code;
    }
    made.all = adopts ? all : next;
    made.since = next.seq;
    sim_clock_free(clock);
    *clock = made;
    return 0;
}

void sim_clock_free(struct sim_clock *clock) {
    sim_ticks_release(clock->ticks);
    *clock = (struct sim_clock){0};
}

bool sim_clock_before(uint32_t component, uint64_t seq, uint32_t observer,
                      const struct sim_clock *clock) {
    if (component == observer || seq <= sim_clock_learned(component)) return true;
    return clock != NULL && seq <= sim_ticks_of(clock->ticks, component);
}
