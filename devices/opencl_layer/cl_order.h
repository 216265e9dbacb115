/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: in which order paused commands will run: what each of them waits
 * for, so that it can be told, before anything runs, whether an event covers what writes a buffer.
 * All under the lock of cl_objects.h.
 */
#ifndef ADI_CL_ORDER_H
#define ADI_CL_ORDER_H

#include "cl_pause.h"

/* A command that was stopped in the pause of that number; `event`: what it gave out, or NULL.
 * Returns its number among the commands, -1 where it cannot be told. */
int order_stopped(const struct command *command, struct object *queue, struct object *event,
                  uint64_t number);

/* The queue was stopped: what comes later in it is behind that, too. Returns the number of the stop
 * among the commands, -1 where it cannot be told. */
int order_barrier(struct object *queue, uint64_t number);
/* Is command `at` among what the event, or the buffer's contents, wait for? */
bool order_needs(const struct object *object, int at);
/* Is it known what the event waits for? */
bool order_knows(const struct object *event, uint64_t number);
/* Has command `at` run? False also where that is not known. */
bool order_is_over(int at, uint64_t number);
/* The event is complete: what it waited for has run. */
void order_ended(const struct object *event);
/* Has all that the event, or the buffer's contents, wait for run? */
bool order_has_ended(const struct object *object, uint64_t number);

/* Will all that writes the buffer have run when the event is complete? Also true where that is not
 * known: of what was not stopped in this pause, and where there were too many commands. */
bool order_covers(const struct object *event, const struct object *buffer, uint64_t number);

#endif /* ADI_CL_ORDER_H */
