/* SPDX-License-Identifier: Apache-2.0
 *
 * The pause that a layer stops one side's queues for. It has a number, and what it stops carries
 * that number: when the next one begins, or this one ends, nothing has to be looked up and put
 * back. A watchdog ends one that nothing else ends: a stopped caller may wait in an unknown way.
 */
#ifndef ADI_LAYERS_PAUSE_H
#define ADI_LAYERS_PAUSE_H

#include "layers/tracked.h"

struct pause {
    uint64_t number; /* it is the present one if `active` */
    bool active;
    bool expired;   /* its time was up, or what it stops was not known */
    int party;      /* whose queues are stopped */
    unsigned asked; /* how often somebody asked for something that is stopped */
};
/* The last one. Under the lock. */
extern struct pause paused;

/* What the watchdog calls, on a thread of its own. */
struct pause_watch {
    void (*slice)(uint64_t number); /* (optional) a slice of the pause's time has passed */
    void (*expire)(uint64_t number);
};

/* A new one, when the one before has ended. Takes the lock. */
void pause_begin(bool implementation, const struct pause_watch *watch);
/* Does what carries this number belong to the present one? Under the lock. */
bool is_paused(uint64_t number);
/* Ends it; false: it was not the present one. Under the lock. */
bool pause_end(uint64_t number, bool expires);
/* The slot `expired`. Takes the lock. */
bool pause_expired(void);

#endif /* ADI_LAYERS_PAUSE_H */
