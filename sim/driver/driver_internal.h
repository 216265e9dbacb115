/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the driver. Handles of streams, events and pools are the engine's own, so that it is the
 * engine who says what is wrong with one.
 */
#ifndef SIM_DRIVER_INTERNAL_H
#define SIM_DRIVER_INTERNAL_H

#include <errno.h>

#include "driver.h"
#include "sim.h"
#include "try.h"

#define DRIVER_CONTEXTS 64 /* at a time, and how deep a thread's stack of them is */

/* Is a handle of the engine one that this driver has made, by its label? And what says so there. */
#define DRIVER_OWN ((uint64_t)driver_facade.mark << 48)
static inline bool driver_owns(uint64_t label) {
    return label >> 48 == driver_facade.mark;
}

/* ---- calls.c ---- */

/* What an errno value of the engine is to the program. */
driver_code driver_error(int code);

/* ---- contexts.c ---- */

/* A context that is alive. */
struct driver_scope {
    driver_context name; /* what the program knows it by */
    adi_sim_context context;
    adi_sim_queue legacy; /* its legacy default stream */
    int device, item;     /* item: its number, below DRIVER_CONTEXTS */
    unsigned flags;
    unsigned long long id;
};

/* The thread's. DRIVER_INVALID_CONTEXT, DRIVER_CONTEXT_IS_DESTROYED. */
driver_code driver_current(struct driver_scope *out);
/* The one of that name; what is none, or none any more, is reported. */
driver_code driver_find_context(driver_context name, struct driver_scope *out);
/* The program's name of a context of the engine; NULL: none. */
driver_context driver_context_name(adi_sim_context context);
/* Those of a device that are alive: a bit for each item. */
uint64_t driver_contexts_of(int device);
/* A context of the device that is alive, the primary one before others; NULL: none. */
adi_sim_context driver_context_on(int device);
/* Was access to the memory of the other one enabled for it? */
bool driver_context_reaches(adi_sim_context from, adi_sim_context to);
/* Calls `order` for each of these that is alive. */
int driver_order(uint64_t contexts, adi_sim_queue queue,
                 int (*order)(adi_sim_context context, adi_sim_queue queue));

/* ---- visible.c ---- */

/* A device of the program is its place in the list of those that are visible; the engine knows a
 * device by its index. */
bool driver_is_visible(int device);
/* Of one that is visible: the engine's index. */
int driver_index(int device);
/* Of one that something was made on. */
int driver_device(int index);
/* In text it is "GPU-" and 36 characters. */
driver_uuid driver_uuid_of(int index);

/* ---- streams.c ---- */

/* What a stream stands for in the current context, which is there too (NULL: of no interest). */
driver_code driver_queue(bool per_thread, driver_stream stream, struct driver_scope *scope,
                         adi_sim_queue *out);

/* The same, also of one that is captured (captures.h), which is refused else. */
driver_code driver_queue_quietly(bool per_thread, driver_stream stream, struct driver_scope *scope,
                                 adi_sim_queue *out);

/* ---- registrations.c ---- */

enum driver_memory {
    DRIVER_PAGEABLE,
    DRIVER_PINNED,
    DRIVER_REGISTERED, /* of the program, and within reach of the devices */
    DRIVER_ON_DEVICE,
    DRIVER_MANAGED,
    DRIVER_FOREIGN, /* of another interface that is simulated in this process */
};

/* What kind of memory a pointer is to; what is not live is pageable to it. */
enum driver_memory driver_memory_of(const void *pointer);
/* The allocation that it is in, or the registered range; false: none of this driver's. */
bool driver_find(const void *pointer, struct adi_sim_found *found);
/* Are all of these bytes in one registered range? */
bool driver_is_registered(const void *pointer, size_t bytes);
/* Is it registered for reads only? */
bool driver_is_for_reads(const void *pointer);
/* DRIVER_HOST_MEMORY_ALREADY_REGISTERED: some of it, at least. */
driver_code driver_register(const struct driver_scope *scope, const char *start, size_t bytes,
                            bool for_reads);
/* DRIVER_HOST_MEMORY_NOT_REGISTERED: nothing begins there. */
driver_code driver_unregister(const void *start);
/* A context has ended: nothing is registered in it any more. */
void driver_unregister_all(adi_sim_context context);

/* ---- allocations.c ---- */

/* Memory is freed, or written, as what it is not: INVALID_VALUE, and a violation, as the answer
 * alone would be lost on a program that does not look at it. */
driver_code driver_misused(const char *text);

/* ---- copies.c ---- */

/* From anything to anything, in the order of a queue; `flags` of the engine's, besides those that
 * follow from the pointers. */
driver_code driver_copy(adi_sim_queue queue, void *to, const void *from, size_t bytes,
                        unsigned flags);

/* In the order of a queue. */
driver_code driver_fill(adi_sim_queue queue, driver_pointer to, unsigned value, size_t width,
                        size_t count);

/* ---- pools.c ---- */

/* From the current pool of the queue's device. */
driver_code driver_allocate_on(adi_sim_queue queue, size_t bytes, driver_pointer *out);
/* What the pool was that an allocation is from, before it is freed. Not of a pool: NULL. */
driver_pool driver_pool_of(const struct adi_sim_found *found);
/* Is the allocation from a pool that this device may write to? */
bool driver_pool_reaches(const struct adi_sim_found *found, int device);
/* It has been freed, or its free is queued. */
void driver_give_back(const struct adi_sim_found *found);

/* ---- managed.c ---- */

/* One of the three ways to say host; its NUMA node 0 is the only one. */
bool driver_is_host(const driver_location *location);

/* ---- ipc.c ---- */

/* Is there a handle of it for other processes? Of memory of driver_allocate, and none other. */
bool driver_has_handle(const struct adi_sim_found *found);

#endif /* SIM_DRIVER_INTERNAL_H */
