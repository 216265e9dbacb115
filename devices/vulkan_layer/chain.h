/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: where calls go from here, a table a device.
 */
#ifndef ADI_VULKAN_CHAIN_H
#define ADI_VULKAN_CHAIN_H

#include "vk_objects.h"

#define MOST_QUEUES 8

struct queue {
    VkQueue handle;  /* NULL: free */
    unsigned number; /* among all, from 1 */
    /* The number of the pause in which the queue... */
    uint64_t stopped_in; /* ... was stopped */
    uint64_t ordered;    /* ... was told to run what comes later after what is paused... */
    uint64_t reached;    /* ... in these stages (stages.h) */
    /* What the host may wait for: the last fence and semaphore that its batches signal, and how
     * many commands had been submitted by then (vk_trace.h). */
    VkFence fence;
    VkSemaphore semaphore;
    uint64_t value; /* that the semaphore has then */
    uint64_t fence_at, semaphore_at;
};

struct device {
    VkDevice handle; /* NULL: free */
    const void *key; /* the first word of every dispatchable handle of the device */
    PFN_vkGetDeviceProcAddr get;
    struct {
#define NEXT(name) PFN_vk##name name;
#define OWN        NEXT
#include "calls.def"
    } next;
    VkSemaphore pause_semaphore; /* NULL: the device cannot be paused */
    uint64_t raised, wanted;     /* the semaphore's value, and the one that queues wait for */
    struct queue queues[MOST_QUEUES];
};

/* The device of a dispatchable handle: VkDevice, VkQueue, VkCommandBuffer. */
struct device *chain_device(const void *handle);
/* One after another; NULL after the last. Begins with NULL. */
struct device *chain_each(const struct device *before);
struct queue *chain_queue(struct device *device, VkQueue handle);

#define NEXT_OF(handle) (&chain_device(handle)->next)

/* A free one, of which `handle` is NULL; NULL: there is none. And where its calls go. */
struct device *chain_room(void);
void chain_take_in(struct device *device, VkDevice handle, PFN_vkGetDeviceProcAddr get);

/* The first word of a dispatchable handle. */
static inline const void *chain_key(const void *handle) {
    return *(void *const *)handle;
}

/* What the layer has of its own for a call. */
#define NEXT(name)
#define OWN(name) __typeof__(*(PFN_vk##name)NULL) seen_##name;
#include "calls.def"

#endif /* ADI_VULKAN_CHAIN_H */
