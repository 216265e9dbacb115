/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: pausing queues, and what a command means for what is paused.
 */
#ifndef ADI_CL_PAUSE_H
#define ADI_CL_PAUSE_H

#include "cl_objects.h"
#include "layers/pause.h"

/* Which bytes of a buffer, or from which address of shared memory; of 0 bytes: it is not known. */
struct extent {
    size_t at, bytes;
};

/* A command on its way to a queue. */
struct command {
    const char *call;
    cl_command_queue queue;
    cl_uint n_waits;
    const cl_event *waits;
    bool blocking, orders; /* orders: everything that comes later in the queue waits for it */
    bool marks; /* without a list it waits for everything that came before in the queue */
    cl_mem reads[MOST_ARGUMENTS], writes[MOST_ARGUMENTS];
    struct extent read, written; /* of the first of each */
    cl_uint n_others;
    const cl_mem *others; /* any number that it has to do with, beside these */
    cl_kernel kernel;     /* whose arguments are read and written; NULL: none */
    bool unmaps;          /* it gives back what was mapped before, and uses nothing */
    bool may_read;        /* what stands under `writes` may only be read, for all that is known */
    bool stopped;         /* filled in: it does not run before the queues are resumed */
    unsigned long long number; /* filled in: among all (cl_trace.h) */
};

/* Where calls go from here. */
extern const cl_icd_dispatch *next_layer;

/* Looks at a command before it goes on: stops the queue if that is wanted, says what is wrong with
 * it, lets everything go if the caller would block. Not CL_SUCCESS: it must not go on. */
cl_int command_begin(struct command *command);
/* And after it did: `event` is what the caller gets, if it asked for one. Returns `code`. */
cl_int command_end(const struct command *command, cl_int code, const cl_event *event);

/* Puts every function that enqueues a command over the next one's. */
void commands_put(cl_icd_dispatch *seen);

/* A kernel is given a buffer, or shared memory, as an argument. */
void kernel_takes(cl_kernel kernel, cl_uint index, cl_mem buffer);

/* The caller is about to block on this object. */
void caller_blocks(const void *object, bool waits);
/* The caller asks for an event's status; the second time, it counts as asking in a loop, and the
 * queues go on. What nobody has seen the end of is pending all the same. */
void caller_polls(cl_event event);
/* The caller is told that the event has ended. */
void caller_sees_end(cl_event event);
/* The caller is going to be called back. If it does nothing else for a while it counts as
 * waiting. Is there anything paused to wait for? */
bool caller_awaits_callback(cl_event event);

void queues_pause(bool implementation);
void queues_resume(void);
/* Is a queue stopped? */
bool queues_are_stopped(void);
/* Stops the queue if that is wanted. */
void queue_stop(cl_command_queue queue);
/* Is the object (NULL: none) pending? Under the lock. */
bool pause_keeps(const struct object *object);
bool object_is_pending(const void *object);
/* Does the event cover what writes the buffer? True also where that is not known. */
bool event_covers(const void *event, const void *buffer);
bool buffer_is_used(const void *buffer);
/* The same of some bytes of the buffer. */
bool bytes_are_pending(const void *buffer, int64_t offset, int64_t bytes);
bool event_covers_bytes(const void *event, const void *buffer, int64_t offset, int64_t bytes);
bool bytes_are_used(const void *buffer, int64_t offset, int64_t bytes);
bool buffer_is_given_up(const void *buffer);

/* Not CL_SUCCESS: the object is not alive, and that has been said. */
cl_int object_check(const char *call, const void *handle, cl_int code);
/* May the caller give a reference up? What it does not hold it must not, which has been said then,
 * and the runtime is not called. */
bool object_may_release(const char *call, const void *handle);

#endif /* ADI_CL_PAUSE_H */
