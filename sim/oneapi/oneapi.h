/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the simulated libDPCTLSyclInterface.so. Queues and events are handles of the engine; the
 * rest are references of it, whose label is an object here. A function is called within a call
 * that has begun alone, so that no other thread's comes in between. As in dpctl a reference may be
 * NULL: then nothing is done, and the answer is NULL, 0 or false.
 */
#ifndef SIM_ONEAPI_H
#define SIM_ONEAPI_H

#include <errno.h>

#include "dpctl_abi.h"
#include "sim.h"
#include "try.h"

enum oneapi_kind {
    ONEAPI_DEVICE,
    ONEAPI_PLATFORM,
    ONEAPI_SELECTOR,
    ONEAPI_CONTEXT,
    ONEAPI_VECTOR,
    ONEAPI_EVENT, /* of an element; events are no objects */
};

/* A sycl::context: of each of its devices a context of the engine. */
struct oneapi_context {
    bool has[ADI_SIM_DEVICES], is_default;
    adi_sim_context engine[ADI_SIM_DEVICES]; /* NULL: not opened yet */
    unsigned refs;                           /* references, queues and events */
    struct oneapi_context *next;
};

struct oneapi_object {
    enum oneapi_kind kind;
    int device;                     /* ONEAPI_DEVICE; ONEAPI_SELECTOR: the one it takes, -1: none */
    struct oneapi_context *context; /* ONEAPI_CONTEXT */
    enum oneapi_kind of;            /* ONEAPI_VECTOR */
    void **elements;
    size_t n;
};

/* A sycl::queue. One that is in order is a queue of the engine, its first handle. One that is not
 * has each command in a queue of its own; then `lane` comes behind all of them, and they behind
 * `gate`, which comes behind what barriers have waited for. */
struct oneapi_queue {
    struct oneapi_context *context;
    adi_sim_context engine;
    int device, properties;
    adi_sim_queue lane, gate; /* gate: NULL before the first barrier */
    adi_sim_queue *handles;   /* one for each reference; the first is `lane` */
    size_t n;
};

/* ---- references.c ---- */

void *oneapi_make(struct oneapi_object object);
/* NULL: it is none, which was reported, or NULL. */
struct oneapi_object *oneapi_find(const void *reference, enum oneapi_kind kind);
void oneapi_delete(const void *reference, enum oneapi_kind kind);
void *oneapi_copy(const void *reference, enum oneapi_kind kind);
bool oneapi_equal(const void *one, const void *other, enum oneapi_kind kind);
size_t oneapi_hash(const void *reference, enum oneapi_kind kind);
/* `value`, if it is a reference of that kind. */
int oneapi_number_of(const void *reference, enum oneapi_kind kind, int value);
const char *oneapi_text_of(const void *reference, enum oneapi_kind kind, const char *text);

const char *oneapi_text(const char *text); /* the caller's */
void oneapi_text_delete(const char *text);

/* ---- vectors.c ---- */

void *oneapi_vector(enum oneapi_kind of);
/* Takes the element over; NULL is none. */
int oneapi_vector_add(const void *vector, void *element);
void *oneapi_vector_from(enum oneapi_kind of, size_t n, void *const *elements);
void oneapi_vector_clear(const void *vector);
void oneapi_vector_delete(const void *vector);
size_t oneapi_vector_size(const void *vector);
void *oneapi_vector_at(const void *vector, size_t index);
/* Which events it has waited for: that is not kept, and none. */
void *oneapi_event_list(const void *event);

/* ---- oneapi_devices.c ---- */

void *oneapi_device(int index);
void *oneapi_devices(int identifier);
size_t oneapi_count(int identifier);
int oneapi_position(const void *device, int identifier);
int64_t oneapi_index(const void *device);
void *oneapi_device_selected(const void *selector);
bool oneapi_is_type(const void *device, int type);
uint64_t oneapi_memory(const void *device);
uint32_t oneapi_one_of(const void *device);
/* Of work items, which nothing here runs: that many ones, the caller's. */
size_t *oneapi_sizes(const void *device, int n);
void oneapi_sizes_delete(size_t *sizes);
bool oneapi_has_aspect(const void *device, int aspect);
bool oneapi_can_access(const void *device, const void *peer, int access);
void *oneapi_platforms(void);
void *oneapi_platform(void);
void *oneapi_platform_of(const void *reference, enum oneapi_kind kind);
void *oneapi_platform_devices(const void *platform, int type);
void *oneapi_selector(bool takes_any);

/* ---- filters.c ---- */

/* A selector of the first device that one of the filters is for, "backend:type:number" each, and
 * any of the three may be left out. NULL, with a remark: it is no filter. */
void *oneapi_filter(const char *filter);

/* ---- engines.c ---- */

/* The default one, which all queues have that are made for a device and no context. */
struct oneapi_context *oneapi_default(void);
int oneapi_engine(struct oneapi_context *context, int device, adi_sim_context *out);
/* Whose a context of the engine is; NULL: of no context here. */
struct oneapi_context *oneapi_owner(adi_sim_context engine);
/* Made, and without a reference yet. */
void oneapi_context_add(struct oneapi_context *context);
/* One reference fewer; the last one ends it. */
void oneapi_context_release(struct oneapi_context *context);

/* ---- oneapi_contexts.c ---- */

void *oneapi_context_reference(struct oneapi_context *context);
void *oneapi_cached_context(const void *device);
void *oneapi_default_context(const void *platform);
void *oneapi_context(const void *device, error_handler_callback *handler, int properties);
void *oneapi_context_of(const void *devices, error_handler_callback *handler, int properties);
size_t oneapi_devices_in(const void *context);
void *oneapi_list_devices_in(const void *context);

/* ---- oneapi_queues.c ---- */

struct oneapi_queue *oneapi_queue_find(const void *reference);
void *oneapi_queue(const void *context, const void *device, error_handler_callback *handler,
                   int properties);
void *oneapi_queue_for(const void *device, error_handler_callback *handler, int properties);
void *oneapi_queue_copy(const void *reference);
void oneapi_queue_delete(const void *reference);
bool oneapi_queues_equal(const void *one, const void *other);
size_t oneapi_queue_hash(const void *reference);
int oneapi_queue_backend(const void *reference);
void *oneapi_queue_context(const void *reference);
void *oneapi_queue_device(const void *reference);
bool oneapi_queue_has(const void *reference, int property);
void oneapi_queue_wait(const void *reference);

/* ---- oneapi_commands.c ---- */

void *oneapi_memcpy(const void *queue, void *to, const void *from, size_t bytes,
                    const DPCTLSyclEventRef *events, size_t n);
void *oneapi_fill(const void *queue, void *to, uint32_t value, size_t width, size_t count,
                  const DPCTLSyclEventRef *events, size_t n);
void *oneapi_fill_wide(const void *queue, void *to, const uint64_t *value, size_t width,
                       size_t count);
void *oneapi_advise(const void *queue, const void *pointer, size_t bytes, int advice);
void *oneapi_barrier(const void *queue);
void *oneapi_barrier_for(const void *queue, const DPCTLSyclEventRef *events, size_t n);

/* ---- oneapi_events.c ---- */

/* Of all that is in a queue of the engine now; NULL: it could not be made. */
void *oneapi_event_on(struct oneapi_context *context, adi_sim_context engine, adi_sim_queue lane);
void *oneapi_event(void);
void *oneapi_event_copy(const void *event);
void oneapi_event_delete(const void *event);
void oneapi_event_wait(const void *event);
int oneapi_event_status(const void *event);
int oneapi_event_backend(const void *event);

/* ---- usm.c ---- */

/* EXDEV: it is of another context than this one, which was reported. */
int oneapi_check_context(const struct oneapi_context *context, const void *pointer,
                         const char *what);
void *oneapi_malloc(enum adi_sim_memory memory, size_t alignment, size_t bytes, const void *queue);
void oneapi_free_with_queue(void *memory, const void *queue);
void oneapi_free_with_context(void *memory, const void *context);
int oneapi_pointer_type(const void *memory, const void *context);
void *oneapi_pointer_device(const void *memory, const void *context);

/* ---- oneapi_entry.c ---- */

void oneapi_ignore(const char *name, const char *folder);

#endif /* SIM_ONEAPI_H */
