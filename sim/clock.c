/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <errno.h>

#define FIRST_TRIM 8

#define CHUNK 1024

struct component {
    struct sim_queue *queue;
    uint64_t learned, last; /* last: its last command, once the queue has gone */
};

/* Of those that have gone, and of whose work the host knows, nothing more can be asked: once that
 * goes for all of a chunk, there is none. */
struct chunk {
    uint32_t n_settled;
    struct component at[CHUNK];
};

static struct {
    struct chunk **chunks;
    uint32_t n, capacity; /* components, and those that there is a place for in `chunks` */
} components;

/* NULL: it is settled. */
static struct component *component_at(uint32_t component) {
    struct chunk *chunk = components.chunks[component / CHUNK];
    return chunk == NULL ? NULL : &chunk->at[component % CHUNK];
}

static int make_room(void) {
    if (components.n % CHUNK != 0) return 0;
    if (components.n == components.capacity) {
        uint32_t capacity = components.capacity == 0 ? 64 * CHUNK : components.capacity * 2;
        struct chunk **grown =
            sim_heap_grow(components.chunks, capacity / CHUNK * sizeof(struct chunk *));
        if (grown == NULL) return ENOMEM;
        components.chunks = grown;
        components.capacity = capacity;
    }
    struct chunk *chunk = sim_heap_zeroed(sizeof *chunk);
    if (chunk == NULL) return ENOMEM;
    components.chunks[components.n / CHUNK] = chunk;
    return 0;
}

int sim_clock_component(struct sim_queue *queue, uint32_t *component) {
    int code = make_room();
    if (code != 0) return code;
    if (components.n == SIM_HOST) components.n++;
    *component = components.n++;
    component_at(*component)->queue = queue;
    return 0;
}

static void settle(uint32_t component) {
    struct chunk **chunk = &components.chunks[component / CHUNK];
    if (++(*chunk)->n_settled < CHUNK) return;
    sim_heap_free(*chunk);
    *chunk = NULL;
}

struct sim_queue *sim_clock_queue(uint32_t component) {
    const struct component *at = component_at(component);
    return at == NULL ? NULL : at->queue;
}

void sim_clock_gone(uint32_t component, uint64_t last) {
    struct component *at = component_at(component);
    at->queue = NULL;
    at->last = last;
    if (at->learned >= last) settle(component);
}

uint64_t sim_clock_learned(uint32_t component) {
    const struct component *at = component == SIM_HOST ? NULL : component_at(component);
    return at == NULL ? UINT64_MAX : at->learned;
}

void sim_clock_learn(uint32_t component, uint64_t seq) {
    struct component *at = component_at(component);
    if (at == NULL || at->learned >= seq) return;
    bool settles = at->queue == NULL && at->learned < at->last && seq >= at->last;
    at->learned = seq;
    if (settles) settle(component);
}

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
    sim_ticks_hold(clock->ticks);
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
    sim_ticks_let(clock->ticks);
    *clock = (struct sim_clock){0};
}

bool sim_clock_before(uint32_t component, uint64_t seq, uint32_t observer,
                      const struct sim_clock *clock) {
    if (component == observer || seq <= sim_clock_learned(component)) return true;
    return clock != NULL && seq <= sim_ticks_of(clock->ticks, component);
}
