/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: when all has run that the implementation has queued.
 */
#ifndef ADI_CL_DRAIN_H
#define ADI_CL_DRAIN_H

#include "cl_pause.h"

/* The calling thread has put a command into the queue. Under the lock of cl_objects.h. */
void drain_note(struct object *queue);
/* The caller has given a reference to the queue up, before the runtime is called: it may have
 * been the last. Not under the lock. */
void drain_queue_released(cl_command_queue queue);
/* Is something of what the implementation has queued still to run? */
bool drain_has_pending_work(void);
/* Ends a pause, and waits until all has run, or for so long that it never will. */
void drain_all(void);

#endif /* ADI_CL_DRAIN_H */
