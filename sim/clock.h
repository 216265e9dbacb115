/* SPDX-License-Identifier: Apache-2.0
 *
 * What happened before what. Every queue is a component of the order, and numbers its commands; the
 * host, all its threads together, is component 0. Since only the host queues commands, all that it
 * knows to be complete when it queues one comes before that one. So a queue's clock holds only what
 * its waits for events have brought, as far as the host does not know that already. What clocks
 * have in common they share (ticks.h), and most joins need not look at it: who knows the one tick
 * that knows all there is in a clock has got all of it.
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "engine.h"
#include "ticks.h"

#define SIM_HOST 0

/* All zero is an empty one. */
struct sim_clock {
    struct sim_ticks *ticks;
    struct sim_tick all; /* whoever is behind this command is behind all that is in here */
    uint64_t since;      /* the first command of its queue that is */
    size_t trim_at; /* how many blocks of ticks are worth a look for those that the host knows */
};

/* The `seq` of a command that will never be. */
#define SIM_NEVER UINT64_MAX

/* ---- component.c ---- */

/* A new component for a queue. */
int sim_clock_component(struct sim_queue *queue, uint32_t *component);
/* The queue of a component; NULL when it has gone, and then all its commands have run. */
struct sim_queue *sim_clock_queue(uint32_t component);
/* Its queue goes, all of whose commands have run. */
void sim_clock_gone(uint32_t component, uint64_t last);

/* Up to which command of a component the host knows it to be complete, and that it does now. */
uint64_t sim_clock_learned(uint32_t component);
void sim_clock_learn(uint32_t component, uint64_t seq);

/* ---- clock.c ---- */

void sim_clock_learn_all(const struct sim_clock *clock);

/* The same once more; it is free of charge. */
struct sim_clock sim_clock_copy(const struct sim_clock *clock);
/* Into `clock` goes command `last`, and `from`, the clock of its queue when it was queued or since.
 * `next` will be the first command of the queue that `clock` is of; of no queue: SIM_HOST and
 * SIM_NEVER. ENOMEM: it is as it was. */
int sim_clock_join(struct sim_clock *clock, struct sim_tick next, const struct sim_clock *from,
                   struct sim_tick last);
void sim_clock_free(struct sim_clock *clock);

/* Is command `seq` of `component` before what `observer`, whose clock this is, does next? The
 * host's clock is NULL. */
bool sim_clock_before(uint32_t component, uint64_t seq, uint32_t observer,
                      const struct sim_clock *clock);

#endif /* SIM_CLOCK_H */
