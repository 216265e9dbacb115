/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: which bytes of a buffer the commands that are paused write and read.
 * A sub-buffer's are those of what it is part of. All under the lock of cl_objects.h.
 */
#ifndef ADI_CL_ACCESSES_H
#define ADI_CL_ACCESSES_H

#include "cl_pause.h"

/* Bytes of a buffer value. */
struct access_query {
    const void *buffer;
    int64_t offset, bytes; /* bytes > 0 */
};

/* The command was stopped in the pause of that number, `at` is its number among the commands
 * (cl_order.h; -1: not known). Where there is no room nothing is known of it. */
void accesses_stopped(const struct command *command, uint64_t number, int at);

/* Is one of them written by a command that is still to run? */
bool accesses_are_pending(const struct access_query *asked, uint64_t number);
/* Will all that writes them have run when the event is complete? True also where that is not known.
 */
bool accesses_are_covered(const struct access_query *asked, const struct object *event,
                          uint64_t number);
/* Is one of them read by a command of the implementation? */
bool accesses_are_used(const struct access_query *asked, uint64_t number);

#endif /* ADI_CL_ACCESSES_H */
