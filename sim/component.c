/* SPDX-License-Identifier: Apache-2.0
 *
 * The components of the order: which queue is which, and how much of it the host knows.
 */
#include <errno.h>

#include "clock.h"

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
    SIM_TRY(make_room());
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
