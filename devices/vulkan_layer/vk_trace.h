/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: what was submitted and waited for as lines, for who wants to draw
 * them (`trace` in ref/device.h). All under the lock of vk_objects.h.
 */
#ifndef ADI_VK_TRACE_H
#define ADI_VK_TRACE_H

#include "chain.h"
#include "record.h"

/* A command buffer begins: what comes next is another command than what came before. */
void trace_begin(void);
/* A step of it, and the buffer or event that it is about; NULL: not known. `early`: it does not
 * wait for what writes the buffer. */
void trace_step(const struct queue *queue, const struct recorded *step, const struct object *object,
                bool early);
/* How many commands were submitted so far. */
uint64_t trace_count(void);
/* The host sets an event. */
void trace_set(const struct object *event);
/* The host has waited for an event; for what the queue had when so many were submitted. */
void trace_told(const char *call, const struct object *event);
void trace_waited(const char *call, const struct queue *queue, uint64_t count);
/* The host destroys a buffer that a command still uses. */
void trace_destroyed(const struct object *buffer);
/* "event 3"; false: it is neither an event nor a buffer. */
bool trace_name(const struct object *object, char out[48]);

#endif /* ADI_VK_TRACE_H */
