/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call that makes an object, uses it up, or has the host wait. What is dead or was never
 * alive does not reach the driver, which would crash.
 */
#include <string.h>

#include "vk_pause.h"
#include "vk_trace.h"

#define SHORT_NS UINT64_C(1000000000)

static void born(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device, VkDeviceSize bytes,
                 const char *call) {
    objects_lock();
    struct object *object = objects_add(handle, kind, device, call);
    if (object != NULL) object->bytes = bytes;
    objects_unlock();
}

VkResult VKAPI_CALL seen_DeviceWaitIdle(VkDevice handle) {
    struct device *device = chain_device(handle);
    if (queues_are_stopped(device)) queues_resume();
    VkResult result = device->next.DeviceWaitIdle(handle);
    if (result == VK_SUCCESS) host_waited(device, "vkDeviceWaitIdle", NULL);
    return result;
}

/* ---- objects ---- */

VkResult VKAPI_CALL seen_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkBuffer *out) {
    VkResult result = NEXT_OF(device)->CreateBuffer(device, info, allocator, out);
    if (result == VK_SUCCESS)
        born((uint64_t)*out, ADI_VULKAN_BUFFER, device, info->size, "vkCreateBuffer");
    return result;
}

void VKAPI_CALL seen_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                   const VkAllocationCallbacks *allocator) {
    bool read = buffer_is_used((const void *)(uintptr_t)buffer), by_user = adi_caller_party() == 1;
    if (!objects_end("vkDestroyBuffer", (uint64_t)buffer, ADI_VULKAN_BUFFER)) return;
    /* Somebody's command would read what is gone; who released too early has been told. */
    if (read && by_user) host_destroys(buffer);
    if (read && by_user)
        adi_misused(ADI_MISUSE_UNORDERED, false,
                    "vkDestroyBuffer of a buffer that a queued command still uses");
    if (read) seen_DeviceWaitIdle(device);
    NEXT_OF(device)->DestroyBuffer(device, buffer, allocator);
}

VkResult VKAPI_CALL seen_CreateEvent(VkDevice device, const VkEventCreateInfo *info,
                                     const VkAllocationCallbacks *allocator, VkEvent *out) {
    VkResult result = NEXT_OF(device)->CreateEvent(device, info, allocator, out);
    if (result == VK_SUCCESS) born((uint64_t)*out, ADI_VULKAN_EVENT, device, 0, "vkCreateEvent");
    return result;
}

void VKAPI_CALL seen_DestroyEvent(VkDevice device, VkEvent event,
                                  const VkAllocationCallbacks *allocator) {
    if (objects_end("vkDestroyEvent", (uint64_t)event, ADI_VULKAN_EVENT))
        NEXT_OF(device)->DestroyEvent(device, event, allocator);
}

VkResult VKAPI_CALL seen_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkDeviceMemory *out) {
    VkResult result = NEXT_OF(device)->AllocateMemory(device, info, allocator, out);
    if (result == VK_SUCCESS)
        born((uint64_t)*out, ADI_VULKAN_MEMORY, device, info->allocationSize, "vkAllocateMemory");
    return result;
}

void VKAPI_CALL seen_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                const VkAllocationCallbacks *allocator) {
    if (objects_end("vkFreeMemory", (uint64_t)memory, ADI_VULKAN_MEMORY))
        NEXT_OF(device)->FreeMemory(device, memory, allocator);
}

VkResult VKAPI_CALL seen_BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                          VkDeviceSize offset) {
    if (!objects_live("vkBindBufferMemory", (uint64_t)buffer, ADI_VULKAN_BUFFER) ||
        !objects_live("vkBindBufferMemory", (uint64_t)memory, ADI_VULKAN_MEMORY))
        return VK_ERROR_UNKNOWN;
    return NEXT_OF(device)->BindBufferMemory(device, buffer, memory, offset);
}

void VKAPI_CALL seen_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                 VkMemoryRequirements *out) {
    memset(out, 0, sizeof *out);
    if (objects_live("vkGetBufferMemoryRequirements", (uint64_t)buffer, ADI_VULKAN_BUFFER))
        NEXT_OF(device)->GetBufferMemoryRequirements(device, buffer, out);
}

static void note_address(VkBuffer buffer, VkDeviceAddress address) {
    objects_lock();
    objects_note_address((uint64_t)buffer, address);
    objects_unlock();
}

/* One call under the names that it has had. */
#define ADDRESS(suffix)                                                                            \
    VkDeviceAddress VKAPI_CALL seen_GetBufferDeviceAddress##suffix(                                \
        VkDevice device, const VkBufferDeviceAddressInfo *info) {                                  \
        if (!objects_live("vkGetBufferDeviceAddress", (uint64_t)info->buffer, ADI_VULKAN_BUFFER))  \
            return 0;                                                                              \
        VkDeviceAddress address = NEXT_OF(device)->GetBufferDeviceAddress##suffix(device, info);   \
        note_address(info->buffer, address);                                                       \
        return address;                                                                            \
    }
ADDRESS()
ADDRESS(KHR)
ADDRESS(EXT)

/* What the set is given is not in its place in the set: a set is read as a whole. */
/* Where a dynamic one begins is said when it is bound. */
static void bind(struct object *set, uint32_t at, const VkWriteDescriptorSet *write,
                 const VkDescriptorBufferInfo *info) {
    bool moves = write->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
                 write->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    bool to_the_end = moves || info->range == VK_WHOLE_SIZE;
    set->bound[at] = (uint64_t)info->buffer;
    set->extents[at].from = info->offset;
    set->extents[at].bytes = to_the_end ? 0 : info->range;
}

void VKAPI_CALL seen_UpdateDescriptorSets(VkDevice device, uint32_t n_writes,
                                          const VkWriteDescriptorSet *writes, uint32_t n_copies,
                                          const VkCopyDescriptorSet *copies) {
    NEXT_OF(device)->UpdateDescriptorSets(device, n_writes, writes, n_copies, copies);
    objects_lock();
    for (uint32_t i = 0; i < n_writes; i++) {
        uint64_t handle = (uint64_t)writes[i].dstSet;
        struct object *set = tracked_find(handle, ADI_VULKAN_SET);
        if (set == NULL)
            set = objects_add_nobodys(handle, ADI_VULKAN_SET, device, "vkUpdateDescriptorSets");
        for (uint32_t j = 0; set != NULL && j < writes[i].descriptorCount; j++)
            if (writes[i].pBufferInfo != NULL && writes[i].dstBinding + j < MOST_BOUND)
                bind(set, writes[i].dstBinding + j, &writes[i], &writes[i].pBufferInfo[j]);
    }
    objects_unlock();
}

/* ---- events on the host ---- */

VkResult VKAPI_CALL seen_GetEventStatus(VkDevice device, VkEvent event) {
    if (!objects_live("vkGetEventStatus", (uint64_t)event, ADI_VULKAN_EVENT))
        return VK_ERROR_UNKNOWN;
    caller_polls_event(event);
    VkResult result = NEXT_OF(device)->GetEventStatus(device, event);
    if (result == VK_EVENT_SET) caller_sees_set(event);
    return result;
}

VkResult VKAPI_CALL seen_SetEvent(VkDevice device, VkEvent event) {
    if (!objects_owns("vkSetEvent", event)) return VK_ERROR_UNKNOWN;
    host_sets(event);
    return NEXT_OF(device)->SetEvent(device, event);
}

VkResult VKAPI_CALL seen_ResetEvent(VkDevice device, VkEvent event) {
    if (!objects_owns("vkResetEvent", event)) return VK_ERROR_UNKNOWN;
    return NEXT_OF(device)->ResetEvent(device, event);
}

/* ---- queues ---- */

/* The host can wait for timelines only. */
static void note_signals(struct device *device, VkQueue queue, const VkSubmitInfo *batch) {
    const VkBaseInStructure *more = batch->pNext;
    while (more != NULL && more->sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
        more = more->pNext;
    const VkTimelineSemaphoreSubmitInfo *values = (const void *)more;
    for (uint32_t i = 0; values != NULL && i < batch->signalSemaphoreCount; i++)
        if (i < values->signalSemaphoreValueCount)
            queue_raises_semaphore(device, queue, batch->pSignalSemaphores[i],
                                   values->pSignalSemaphoreValues[i]);
}

VkResult VKAPI_CALL seen_QueueSubmit(VkQueue queue, uint32_t n, const VkSubmitInfo *batches,
                                     VkFence fence) {
    struct device *device = chain_device(queue);
    queue_stop(device, queue);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < batches[i].waitSemaphoreCount; j++)
            queue_waits_semaphore(device, queue, batches[i].pWaitDstStageMask[j]);
        for (uint32_t j = 0; j < batches[i].commandBufferCount; j++)
            queue_submits(device, queue, batches[i].pCommandBuffers[j]);
        note_signals(device, queue, &batches[i]);
    }
    if (fence != VK_NULL_HANDLE) queue_signals_fence(device, queue, fence);
    return device->next.QueueSubmit(queue, n, batches, fence);
}

VkResult VKAPI_CALL seen_QueueWaitIdle(VkQueue queue) {
    struct device *device = chain_device(queue);
    if (queues_are_stopped(device)) queues_resume();
    VkResult result = device->next.QueueWaitIdle(queue);
    if (result == VK_SUCCESS) host_waited(device, "vkQueueWaitIdle", queue);
    return result;
}

/* Whoever waits a little only wants to catch up, if that is the harness. */
static bool only_catches_up(uint64_t timeout) {
    return timeout < SHORT_NS && adi_caller_party() == 0;
}

static VkResult wait_for_fences(struct device *device, uint32_t n, const VkFence *fences,
                                VkBool32 all, uint64_t timeout) {
    VkDevice handle = device->handle;
    if (queues_are_stopped(device)) {
        VkResult now = device->next.WaitForFences(handle, n, fences, all, 0);
        if (now == VK_TIMEOUT && timeout == 0 && adi_caller_party() == 1) caller_polls();
        if (now != VK_TIMEOUT || timeout == 0) return now;
        queues_resume();
    }
    return device->next.WaitForFences(handle, n, fences, all, timeout);
}

/* Which one of many it was is not told. */
VkResult VKAPI_CALL seen_WaitForFences(VkDevice handle, uint32_t n, const VkFence *fences,
                                       VkBool32 all, uint64_t timeout) {
    struct device *device = chain_device(handle);
    VkResult result = wait_for_fences(device, n, fences, all, timeout);
    for (uint32_t i = 0; i < n && (all || n == 1) && result == VK_SUCCESS; i++)
        host_waited_fence(device, "vkWaitForFences", fences[i]);
    return result;
}

static VkResult wait_semaphores(struct device *device, const VkSemaphoreWaitInfo *info,
                                uint64_t timeout) {
    VkDevice handle = device->handle;
    if (queues_are_stopped(device)) {
        VkResult now = device->next.WaitSemaphores(handle, info, 0);
        if (now == VK_TIMEOUT && timeout == 0 && adi_caller_party() == 1) {
            caller_polls();
            return now;
        }
        if (now != VK_TIMEOUT || only_catches_up(timeout)) return now;
        queues_resume();
    }
    return device->next.WaitSemaphores(handle, info, timeout);
}

VkResult VKAPI_CALL seen_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info,
                                        uint64_t timeout) {
    struct device *device = chain_device(handle);
    VkResult result = wait_semaphores(device, info, timeout);
    bool all = (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0 || info->semaphoreCount == 1;
    for (uint32_t i = 0; i < info->semaphoreCount && all && result == VK_SUCCESS; i++)
        host_waited_value(device, "vkWaitSemaphores", info->pSemaphores[i], info->pValues[i]);
    return result;
}

VkResult VKAPI_CALL seen_GetFenceStatus(VkDevice handle, VkFence fence) {
    struct device *device = chain_device(handle);
    VkResult result = device->next.GetFenceStatus(handle, fence);
    if (result == VK_NOT_READY && queues_are_stopped(device)) caller_polls();
    if (result == VK_SUCCESS) host_waited_fence(device, "vkGetFenceStatus", fence);
    return result;
}

VkResult VKAPI_CALL seen_GetSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore,
                                                  uint64_t *value) {
    struct device *device = chain_device(handle);
    if (queues_are_stopped(device) && adi_caller_party() == 1) caller_polls();
    return device->next.GetSemaphoreCounterValue(handle, semaphore, value);
}

/* ---- the layer ---- */

/* The validation layer does not know who sets the event that a secondary command buffer waits for,
 * and takes the stages of every such wait for wrong. */
static void say(const char *text) {
    static const char mistaken[] = "VUID-vkCmdWaitEvents-srcStageMask-parameter";
    if (steps_wait_in_others() && strncmp(text, mistaken, strlen(mistaken)) == 0) return;
    adi_misused(ADI_MISUSE_DEAD, false, "%s", text);
}

__attribute__((visibility("default"))) adi_vulkan_layer_fn adi_vulkan_layer_table;

const struct adi_vulkan_layer *adi_vulkan_layer_table(void) {
    static const struct adi_vulkan_layer layer = {
        .size = sizeof layer,
        .interceptor = {.size = sizeof layer.interceptor,
                        .enter = adi_caller_enter,
                        .subscribe = adi_misuse_subscribe,
                        .pause = queues_pause,
                        .resume = queues_resume,
                        .pending = object_is_pending,
                        .used = buffer_is_used,
                        .references = objects_references,
                        .newest_held = objects_newest,
                        .expired = pause_expired,
                        .written = buffer_is_written,
                        .trace = adi_line_subscribe,
                        .name_of = object_name,
                        .pending_in = bytes_are_pending,
                        .used_in = bytes_are_used,
                        .written_in = bytes_are_written},
        .look = objects_look,
        .look_at = objects_look_at,
        .say = say,
    };
    return &layer;
}
