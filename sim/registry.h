/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues, events, contexts, pools and references by handle: an address in a closed range.
 * What is used after its end is known by name for a long time: the handle of any of them but a
 * context is given again when 65,536 others of its kind have been destroyed since, that of a
 * context never. Under the policy `random` that of an event may be given again at once, as drivers
 * do; then nobody can tell.
 */
#ifndef SIM_REGISTRY_H
#define SIM_REGISTRY_H

#include "memory.h"

enum sim_kind {
    SIM_CONTEXT,
    SIM_QUEUE,
    SIM_EVENT,
    SIM_POOL,
    SIM_REFERENCE,
    SIM_KINDS,
};

struct sim_queue;

/* An open device, and what was made in it. Once it is closed it is there until those who wait in it
 * have left, and its queues with them. */
struct sim_context {
    struct sim_device *device;
    void *handle;
    uint64_t ordinal;
    unsigned users; /* calls that go through its queues */
    bool closed;
    struct sim_queue *queues;        /* those that have a handle, or work */
    struct sim_queue *default_queue; /* NULL: none */
    struct sim_queue *fresh;         /* blocking ones with work behind which the default is not */
    struct sim_clock gone_fresh;     /* the same of those that are no more */
    struct sim_clock gone;           /* work of queues that are no more, which nobody waited for */
    struct {
        uint64_t number; /* of the last one; 0: there is none */
        struct sim_tick last;
        struct sim_clock clock;          /* of the queue that `last` is in */
    } barrier;                           /* what all that is queued comes behind */
    struct sim_allocation *first, *last; /* live ones, oldest first */
};

int sim_registry_start(void);
/* Is it an address of the range of handles? */
bool sim_registry_has(const void *address);

/* A handle for `object`, made by the present call in `context` (NULL for a context); its number
 * among its kind. ENOMEM. */
int sim_registry_add(enum sim_kind kind, void *object, struct sim_context *context, void **handle,
                     uint64_t *ordinal);
/* What a handle stands for, into the pointer to a struct of that kind that `object` points to;
 * anything but a live handle of that kind is reported, EBADF. */
int sim_registry_find(enum sim_kind kind, const void *handle, void *object);
/* The same without a word; NULL: it is none. */
void *sim_registry_look(enum sim_kind kind, const void *handle);
/* Its number in the log, live or not; of what was a handle. */
uint64_t sim_registry_ordinal(const void *handle);
/* Who made what a handle, live or not, stands for. */
unsigned sim_registry_party(const void *handle);
/* As find, and it stands for nothing from now on. */
int sim_registry_take(enum sim_kind kind, const void *handle, void *object);

/* What a runtime keeps with an object. */
int sim_registry_set_label(enum sim_kind kind, const void *handle, uint64_t label);
/* That, and the context that the object was made in. */
int sim_registry_label(enum sim_kind kind, const void *handle, adi_sim_context *context,
                       uint64_t *label);
/* Is it a live handle of any kind? Says nothing. `label` may be NULL. */
bool sim_registry_is_live(const void *handle, uint64_t *label);
/* It is a runtime's own, and never a leak; ended again it is just not there. */
int sim_registry_own(enum sim_kind kind, const void *handle);

/* Reports what is still there, in one context or (NULL) in all, once for each. */
void sim_registry_leaks(struct sim_context *context);
/* Calls `end` for each live object of a kind in a context, oldest first, and takes its handle. */
void sim_registry_end(enum sim_kind kind, const struct sim_context *context,
                      void (*end)(void *object));

#endif /* SIM_REGISTRY_H */
