/* SPDX-License-Identifier: Apache-2.0
 *
 * What happened before what. Every queue is a component of the order, and numbers its commands; the
 * host, all its threads together, is component 0. Since only the host queues commands, all that it
 * knows to be complete when it queues one comes before that one. So a queue's clock holds only what
 * its waits for events have brought, as far as the host does not know that already: it grows with
 * chains of queues that nobody has waited for yet, and not with their number.
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "engine.h"

#define SIM_HOST 0

/* Of each component up to which of its commands; sorted. All zero is an empty one. */
struct sim_clock {
    struct sim_tick {
        uint32_t component;
        uint64_t seq;
    } * ticks;
    size_t n, capacity;
};

/* A new component for a queue. */
int sim_clock_component(struct sim_queue *queue, uint32_t *component);
/* The queue of a component; NULL when it has gone, and then all its commands have run. */
struct sim_queue *sim_clock_queue(uint32_t component);
void sim_clock_gone(uint32_t component);

/* Up to which command of a component the host knows it to be complete, and that it does now. */
uint64_t sim_clock_learned(uint32_t component);
void sim_clock_learn(uint32_t component, uint64_t seq);
void sim_clock_learn_all(const struct sim_clock *clock);

/* Into `clock` what is in `from`, and a single tick. */
int sim_clock_join(struct sim_clock *clock, const struct sim_clock *from);
int sim_clock_tick(struct sim_clock *clock, uint32_t component, uint64_t seq);
void sim_clock_free(struct sim_clock *clock);

/* Is command `seq` of `component` before what `observer`, whose clock this is, does next? The
 * host's clock is NULL. */
bool sim_clock_before(uint32_t component, uint64_t seq, uint32_t observer,
                      const struct sim_clock *clock);

#endif /* SIM_CLOCK_H */
