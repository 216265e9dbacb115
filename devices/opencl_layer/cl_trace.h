/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: the calls as lines, for who wants to draw them (`trace` in
 * ref/device.h). All under the lock of cl_objects.h.
 */
#ifndef ADI_CL_TRACE_H
#define ADI_CL_TRACE_H

#include "cl_pause.h"

/* A command, what it waits for and what it uses; and, where it does not wait for what writes the
 * buffer `early`, that it does not. */
void trace_command(struct command *command, const struct object *early);
/* The event that it gave out. */
void trace_event(const struct command *command, const struct object *event);
/* The host has set it. */
void trace_set(const struct object *event);
/* The host has waited for an event, or a queue. */
void trace_wait(const struct object *object);
/* "event 3"; false: nothing is known of it. */
bool trace_name(const struct object *object, char out[48]);

#endif /* ADI_CL_TRACE_H */
