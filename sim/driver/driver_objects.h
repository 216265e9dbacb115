/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the driver's own, which the engine does not know: modules, kernels, graphs. What is no
 * handle, or none any more, is reported; of each kind the last 1024 that have ended are known as
 * such. Those that the program has not given back at its end are named if ADI_SIM_LEAKS asks for
 * it: but for kernels and nodes, which go with what they are of.
 */
#ifndef SIM_DRIVER_OBJECTS_H
#define SIM_DRIVER_OBJECTS_H

#include "driver_internal.h"

enum driver_kind {
    DRIVER_MODULE,
    DRIVER_KERNEL,
    DRIVER_LINK,
    DRIVER_GRAPH,
    DRIVER_NODE,
    DRIVER_EXEC,
    DRIVER_USER,
    DRIVER_KINDS,
};

/* What each begins with. */
struct driver_object {
    enum driver_kind kind;
    bool ended, kept; /* kept: something else ends it, and not the program */
    unsigned party;
    void *handle;
    adi_sim_context context; /* with which it ends; NULL: with none */
    const char *made_by;     /* the call, and its number */
    uint64_t made_in;
};

/* What a program gets. */
#define DRIVER_HANDLE(made) ((made)->object.handle)

/* Zeroed, `bytes` with its beginning; NULL: no memory. */
void *driver_object_new(enum driver_kind kind, size_t bytes);
/* It is the present call that makes it, and that hands it out. */
void driver_object_hand_out(void *object);
/* The live one of that handle, else NULL. */
void *driver_object_find(enum driver_kind kind, const void *handle);
/* The same, by who is about to end it. */
void *driver_object_find_to_end(enum driver_kind kind, const void *handle);
/* It has ended and is freed; what it holds was given back by the caller. */
void driver_object_end(void *object);
/* Likewise, but the caller frees it: with free(), once nobody is in the midst of it. */
void driver_object_retire(void *object);

#endif /* SIM_DRIVER_OBJECTS_H */
