/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of which one goes at a time: a schedule for asynchronous streams (ref/async.h) in which a
 * list of preemptions says who goes on at which point. The same list is the same run.
 */
#ifndef ADI_TESTS_ASYNC_TURNS_H
#define ADI_TESTS_ASYNC_TURNS_H

#include <pthread.h>
#include <stdint.h>

#include "async.h"

#define TURNS_ACTORS 3
#define TURNS_MOST   2

struct preemption {
    int at;    /* before the at-th point, from 1; 0: none */
    int actor; /* who goes on; it does nothing if that one has ended */
};

struct turns {
    struct adi_async_schedule schedule; /* for both parties */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int current, points, idle;
    bool has_ended[TURNS_ACTORS];
    struct preemption preemptions[TURNS_MOST];
    bool is_stuck;   /* everybody who is left waits */
    uint64_t random; /* not 0: at each point somebody else goes on, one time in four */
};

struct turns_actor {
    void (*act)(void *state);
    void *state;
};

/* Plays the actors, in their order where nothing else is said, to their end. `preemptions` and
 * `random` are as they were set; false: they are stuck, and so are their threads. */
void turns_open(struct turns *out);
bool turns_play(struct turns *turns, const struct turns_actor actors[TURNS_ACTORS]);

/* The number of the actor that this thread plays; -1: none. */
int turns_self(void);

#endif /* ADI_TESTS_ASYNC_TURNS_H */
