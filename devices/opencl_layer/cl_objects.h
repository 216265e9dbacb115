/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: what is known of each object that the runtime has handed out, and of
 * the queues that are paused.
 */
#ifndef ADI_CL_OBJECTS_H
#define ADI_CL_OBJECTS_H

#include "../opencl_layer.h"
#include "layers/tracked.h"

#define MOST_ARGUMENTS 8 /* buffers of a command */

#define ORDER_WORDS 8 /* of 64 commands each; with more it is not known what covers what */

struct object {
    TRACKED;         /* of an enum adi_opencl_kind */
    bool in_order;   /* of a queue */
    bool by_host;    /* of an event: the host completes it */
    size_t bytes;    /* of shared memory and of buffers; 0: not known */
    const void *of;  /* the context of a queue or of shared memory; what a sub-buffer is part of */
    size_t origin;   /* of a sub-buffer in that */
    bool noted;      /* of a queue: it has commands of the implementation (cl_drain.h) */
    bool gave_event; /* of a queue: a command has given an event out since it was stopped */
    bool mapped_to_write; /* of a buffer: somebody has */
    /* Of a kernel: the buffers that it was given, and those that it only reads. */
    cl_mem arguments[MOST_ARGUMENTS];
    bool constant[MOST_ARGUMENTS];
    /* The number of the pause in which... */
    uint64_t stopped_in; /* ... the queue was stopped */
    uint64_t stalled;    /* ... a command of the queue was stopped */
    uint64_t ordered;    /* ... the queue was told to wait for something that is paused */
    uint64_t used;       /* ... a command of the implementation that uses the buffer was stopped */
    uint64_t pending;    /* ... the event, or the command that writes the buffer, was stopped */
    uint64_t dated;      /* ... its sets were begun */
    /* cl_order.h: the commands that will have run when the next one of the queue begins, or the
     * event is complete; of a buffer, those that write it. */
    uint64_t behind[ORDER_WORDS];
    uint64_t queued[ORDER_WORDS]; /* of a queue: all so far */
};

/* Everything below is under the lock. NULL: nothing is known of it. */
struct object *objects_find(const void *handle);
/* The interceptor's `newest_held`. Takes the lock. */
bool objects_newest(char out[ADI_INTERCEPTOR_HELD]);
/* A new object with one reference of the party whose thread calls (tracked_add). */
struct object *objects_add(const void *handle, enum adi_opencl_kind kind, const char *made_by);
/* The live piece of shared memory that the address lies in. */
struct object *objects_shared(const void *address);
/* The object; where there is none, or a dead one was, the shared memory that the address lies in.
 */
struct object *objects_at(const void *address);
/* Is it a buffer that the harness has made and holds no longer, or a part of one? What others
 * retain lives on; what is in it does not. */
bool objects_is_given_up(const void *handle);

#endif /* ADI_CL_OBJECTS_H */
