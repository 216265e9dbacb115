/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of sim.h, to be called with garbage; and what each thread that does so has.
 */
#ifndef TESTS_SIM_ENGINE_CALLS_H
#define TESTS_SIM_ENGINE_CALLS_H

#include <stdatomic.h>

#include "sim/garbage.h"
#include "sim/played.h"

/* What is right, of this thread: handles, device memory, and room for what calls hand out. */
struct engine_things {
    adi_sim_context context;
    adi_sim_queue queue;
    adi_sim_event event;
    adi_sim_pool pool;
    adi_sim_reference reference;
    char *memory;
    char out[128];
    char host[2 * SCENE_BYTES];
};

extern _Thread_local struct engine_things things;

/* Makes what is not there (any more). Where anything is tried, that may fail. */
void engine_things_make(const char *family, int index);

/* With what is odd: objects that are destroyed, and of a context that is closed. */
extern struct garbage engine_garbage;
void engine_garbage_make_odd(void);

#define ENGINE_POOL 64
/* What some call of some thread has given. */
extern _Atomic uintptr_t engine_pool[ENGINE_POOL];

/* The device of a family that nothing has been done to works: bytes go there and come back. */
void engine_works(const char *family);

#endif /* TESTS_SIM_ENGINE_CALLS_H */
