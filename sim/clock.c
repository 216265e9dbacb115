/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <errno.h>
#include <string.h>

static struct {
    struct component {
        struct sim_queue *queue;
        uint64_t learned;
    } * at;
    uint32_t n, capacity;
} components;

int sim_clock_component(struct sim_queue *queue, uint32_t *component) {
    if (components.n == components.capacity) {
        uint32_t capacity = components.capacity == 0 ? 64 : components.capacity * 2;
        struct component *grown = sim_heap_grow(components.at, capacity * sizeof *grown);
        if (grown == NULL) return ENOMEM;
        components.at = grown;
        components.capacity = capacity;
    }
    if (components.n == SIM_HOST) components.at[components.n++] = (struct component){0};
    components.at[components.n] = (struct component){.queue = queue};
    *component = components.n++;
    return 0;
}

struct sim_queue *sim_clock_queue(uint32_t component) {
    return components.at[component].queue;
}

void sim_clock_gone(uint32_t component) {
    components.at[component].queue = NULL;
}

uint64_t sim_clock_learned(uint32_t component) {
    return component == SIM_HOST ? UINT64_MAX : components.at[component].learned;
}

void sim_clock_learn(uint32_t component, uint64_t seq) {
    if (components.at[component].learned < seq) components.at[component].learned = seq;
}

void sim_clock_learn_all(const struct sim_clock *clock) {
    for (size_t i = 0; i < clock->n; i++)
        sim_clock_learn(clock->ticks[i].component, clock->ticks[i].seq);
}

static bool is_known(struct sim_tick tick) {
    return tick.seq <= sim_clock_learned(tick.component);
}

/* The two sorted rows become one; what the host knows is left out. */
static size_t merge(struct sim_tick *out, const struct sim_clock *a, const struct sim_clock *b) {
    size_t n = 0, i = 0, j = 0;
    while (i < a->n || j < b->n) {
        struct sim_tick tick;
        if (j == b->n || (i < a->n && a->ticks[i].component < b->ticks[j].component)) {
            tick = a->ticks[i++];
        } else {
            tick = b->ticks[j];
            if (i < a->n && a->ticks[i].component == tick.component) {
                if (a->ticks[i].seq > tick.seq) tick.seq = a->ticks[i].seq;
                i++;
            }
            j++;
        }
        if (!is_known(tick)) out[n++] = tick;
    }
    return n;
}

int sim_clock_join(struct sim_clock *clock, const struct sim_clock *from) {
    if (from->n == 0) return 0;
    size_t capacity = clock->n + from->n;
    struct sim_tick *ticks = sim_heap_new(capacity * sizeof *ticks);
    if (ticks == NULL) return ENOMEM;
    size_t n = merge(ticks, clock, from);
    sim_heap_free(clock->ticks);
    *clock = (struct sim_clock){ticks, n, capacity};
    return 0;
}

int sim_clock_tick(struct sim_clock *clock, uint32_t component, uint64_t seq) {
    struct sim_tick tick = {component, seq};
    return sim_clock_join(clock, &(struct sim_clock){&tick, 1, 1});
}

void sim_clock_free(struct sim_clock *clock) {
    sim_heap_free(clock->ticks);
    *clock = (struct sim_clock){0};
}

static uint64_t tick_of(const struct sim_clock *clock, uint32_t component) {
    size_t low = 0, high = clock->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (clock->ticks[middle].component < component)
            low = middle + 1;
        else
            high = middle;
    }
    return low < clock->n && clock->ticks[low].component == component ? clock->ticks[low].seq : 0;
}

bool sim_clock_before(uint32_t component, uint64_t seq, uint32_t observer,
                      const struct sim_clock *clock) {
    if (component == observer || seq <= sim_clock_learned(component)) return true;
    return clock != NULL && seq <= tick_of(clock, component);
}
