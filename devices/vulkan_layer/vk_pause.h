/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: pausing queues, and what a command means for what is paused.
 */
#ifndef ADI_VK_PAUSE_H
#define ADI_VK_PAUSE_H

#include "chain.h"
#include "layers/pause.h"
#include "record.h"

/* ---- recording ---- */

/* The command buffer has nothing in it. */
void steps_begin(VkCommandBuffer commands);
/* One step more. */
void steps_add(VkCommandBuffer commands, const struct recorded *step);

/* All steps of another one: what a secondary command buffer does is done by who executes it. */
void steps_take_over(VkCommandBuffer commands, VkCommandBuffer other);
/* Has one that was executed by another waited for an event, ever? */
bool steps_wait_in_others(void);

/* ---- submitting ---- */

/* Stops the queue if that is wanted. */
void queue_stop(struct device *device, VkQueue queue);
/* A batch waits for a semaphore before these stages, and so, in them, for what its signal stands
 * for: as that is not followed, for all that was submitted. */
void queue_waits_semaphore(struct device *device, VkQueue queue, VkPipelineStageFlags stages);
/* What the steps of a command buffer that is about to be submitted mean. Where that is not known,
 * the pause ends: nobody is blamed for it. */
void queue_submits(struct device *device, VkQueue queue, VkCommandBuffer commands);

/* ---- blocking ---- */

/* Is a queue of the device stopped? */
bool queues_are_stopped(const struct device *device);
/* The caller asks for the status of something; the second time, it counts as asking in a loop. */
void caller_polls(void);
void caller_polls_event(VkEvent event);
/* The caller is told that the event is set. */
void caller_sees_set(VkEvent event);
/* The host sets the event. */
void host_sets(VkEvent event);

/* What was submitted to the queue so far signals a fence; raises a semaphore to this value. */
void queue_signals_fence(struct device *device, VkQueue queue, VkFence fence);
void queue_raises_semaphore(struct device *device, VkQueue queue, VkSemaphore semaphore,
                            uint64_t value);
/* The host has waited for all that the queue has (NULL: each queue), for a fence, or for that value
 * of a semaphore. */
void host_waited(struct device *device, const char *call, VkQueue queue);
void host_waited_fence(struct device *device, const char *call, VkFence fence);
void host_waited_value(struct device *device, const char *call, VkSemaphore semaphore,
                       uint64_t value);
/* The host destroys a buffer that a command still uses. */
void host_destroys(VkBuffer buffer);
/* What lines call a buffer value or the handle of an event; false: nothing is known of it. */
bool object_name(const void *value, char out[48]);

void queues_pause(bool implementation);
void queues_resume(void);
bool object_is_pending(const void *object);
bool buffer_is_used(const void *buffer);
bool buffer_is_written(const void *buffer);
/* The same of some bytes of the buffer. */
bool bytes_are_pending(const void *buffer, int64_t offset, int64_t bytes);
bool bytes_are_used(const void *buffer, int64_t offset, int64_t bytes);
bool bytes_are_written(const void *buffer, int64_t offset, int64_t bytes);

#endif /* ADI_VK_PAUSE_H */
