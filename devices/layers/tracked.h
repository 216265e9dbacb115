/* SPDX-License-Identifier: Apache-2.0
 *
 * What a layer knows of each object that the runtime has handed out, by its handle, and how many
 * references to objects each party holds. The dead are kept until their handle comes again.
 */
#ifndef ADI_LAYERS_TRACKED_H
#define ADI_LAYERS_TRACKED_H

#include "interceptor.h"

#define TRACKED_RECORDS 32768 /* a power of two; half of them are always free */

/* What each record has, whatever the layer adds to it. */
#define TRACKED_MEMBERS                                                                            \
    uint64_t handle; /* 0: this record is free */                                                  \
    unsigned kind;                                                                                 \
    unsigned number;      /* among all of its kind that there were */                              \
    uint64_t serial;      /* no other object's: a handle that comes again is told apart */         \
    const char *made_by;  /* the call */                                                           \
    int party;            /* that made it (adi_caller_party) */                                    \
    bool dead;            /* its last reference was given up */                                    \
    size_t references[2]; /* by party */
struct tracked {
    TRACKED_MEMBERS
};
/* The first member of the layer's own `struct object`. */
#define TRACKED                                                                                    \
    union {                                                                                        \
        struct tracked tracked;                                                                    \
        struct {                                                                                   \
            TRACKED_MEMBERS                                                                        \
        };                                                                                         \
    }
struct object;

/* The layer's records: a static array of TRACKED_RECORDS, since a layer must not show in what the
 * process has allocated. */
extern struct tracked_store {
    void *records;
    size_t bytes; /* of one */
    bool by_kind; /* handles of different kinds may be equal */
} tracked_store;
#define TRACKED_STORE(records, by_kind)                                                            \
    __attribute__((constructor)) static void give_store(void) {                                    \
        tracked_store = (struct tracked_store){records, sizeof *(records), by_kind};               \
    }

/* All that a layer knows is under this lock, which is never held over a call to the runtime. */
void objects_lock(void);
void objects_unlock(void);
/* A function that answers with what is so under the lock. */
#define UNDER_LOCK(type, name, parameters, ...)                                                    \
    type name parameters {                                                                         \
        objects_lock();                                                                            \
        type answer = __VA_ARGS__;                                                                 \
        objects_unlock();                                                                          \
        return answer;                                                                             \
    }

/* References that the implementation holds. Takes the lock. */
size_t objects_references(void);

/* The interceptor's `newest_held`: `kinds` are the names of the kinds. Takes the lock. */
bool objects_newest_held(const char *const *kinds, char out[ADI_INTERCEPTOR_HELD]);

/* NULL: nothing is known of it. */
struct object *tracked_find(uint64_t handle, unsigned kind);
/* Is it no handle, and the address of one of something that lives? Nothing of it is trusted. */
bool tracked_is_address(uint64_t handle, unsigned kind);
/* A new object of the party whose thread calls, without a reference. NULL: there is no handle, or
 * no room. What was found before may lie elsewhere then. */
struct object *tracked_add(uint64_t handle, unsigned kind, const char *made_by);
/* Is there no room for a further one, living or dead? */
bool tracked_is_full(void);

/* One reference more, or less, of the party whose thread calls; dead after the last one. false: it
 * has none to give up. */
void tracked_retain(struct tracked *tracked);
bool tracked_release(struct tracked *tracked);
/* The object is gone, and so are all references to it. */
void tracked_die(struct tracked *tracked);

#endif /* ADI_LAYERS_TRACKED_H */
