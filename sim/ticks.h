/* SPDX-License-Identifier: Apache-2.0
 *
 * Up to which of its commands each component is known: a map that never changes, and whose parts
 * are shared. It is a treap of blocks of 64 components (by their number; the priorities are a hash
 * of it), so maps of the same components have the same shape: what two have in common is seen by
 * its address, and what is made anew is in proportion to what they do not. Where all queues wait
 * for all the blocks are full, and a join is a loop over them. NULL is the empty one. With the
 * engine's lock held.
 */
#ifndef SIM_TICKS_H
#define SIM_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_tick {
    uint32_t component;
    uint64_t seq;
};

struct sim_ticks;

/* One more holds it: the same; one fewer does. */
struct sim_ticks *sim_ticks_retain(struct sim_ticks *ticks);
void sim_ticks_release(struct sim_ticks *ticks);

/* 0: none. */
uint64_t sim_ticks_of(const struct sim_ticks *ticks, uint32_t component);
/* Of blocks. */
size_t sim_ticks_count(const struct sim_ticks *ticks);

/* These put a map in the place of another. ENOMEM, and the old one stays. Of each component the
 * later tick; what the host has learned as a whole is left out. */
int sim_ticks_unite(struct sim_ticks **ticks, struct sim_ticks *others);
int sim_ticks_raise(struct sim_ticks **ticks, struct sim_tick tick);
/* Without blocks of which the host knows all. */
int sim_ticks_trim(struct sim_ticks **ticks);

/* The host learns all of them. Each part of a map is looked at for it once, whoever shares it. */
void sim_ticks_learn(struct sim_ticks *ticks);
/* Calls `visit` for each that the host does not know, until it does not answer 0. */
int sim_ticks_each(const struct sim_ticks *ticks, int (*visit)(struct sim_tick tick));
/* Is there nothing in it, or has it been learned? */
bool sim_ticks_are_learned(const struct sim_ticks *ticks);

#endif /* SIM_TICKS_H */
