/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer and a consumer that name the stages they need, by way of `between` if there is one: an
 * event that stands for one stage stands for another once a barrier has led from there to here.
 */
#ifndef VULKAN_STAGES_H
#define VULKAN_STAGES_H

#include "vulkan_mutant.h"

#define STAGED 64

static struct staging {
    VkPipelineStageFlags at; /* of the event, or of what waits for it */
    bool leads;              /* a barrier leads from the copies there, or from there to them */
    VkEvent event;           /* NULL: nothing is waited for */
    VkBuffer from, to;
    VkBufferCopy range;
    void *staged[STAGED]; /* of the array that is made */
    int n;
} staging;

static const VkMemoryBarrier everything_seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                                .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                                .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};

static void lead(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to) {
    adi_vk.CmdPipelineBarrier(commands, from, to, 0, 1, &everything_seen, 0, NULL, 0, NULL);
}

static void set_at(VkCommandBuffer commands, void *event) {
    if (staging.leads) lead(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, staging.at);
    adi_vk.CmdSetEvent(commands, *(VkEvent *)event, staging.at);
}

/* `event` of a device: set when the stage of `staging` is over. What was staged is given back
 * behind an event of the backend's, which keeps it until then. */
static int event_at(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static void *last;
    ADI_TRY(base_event(device, sync_event, error));
    ADI_TRY(base_submit(device, set_at, *sync_event));
    if (last != NULL) adi_device_vulkan.event_free(device, last);
    ADI_TRY(adi_device_vulkan.event(device, &last, error));
    while (staging.n > 0) adi_device_vulkan.free(device, staging.staged[--staging.n]);
    return 0;
}

static void copy(VkCommandBuffer commands, void *unused) {
    (void)unused;
    adi_vk.CmdCopyBuffer(commands, staging.from, staging.to, 1, &staging.range);
}

static void copy_behind(VkCommandBuffer commands, void *unused) {
    if (staging.event != VK_NULL_HANDLE)
        adi_vk.CmdWaitEvents(commands, 1, &staging.event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             staging.at, 1, &everything_seen, 0, NULL, 0, NULL);
    if (staging.leads) lead(commands, staging.at, VK_PIPELINE_STAGE_TRANSFER_BIT);
    copy(commands, unused);
}

/* `wait` and `read` of a device: the stage of `staging` waits for the event. */
static int wait_at(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    staging.event = sync_event == NULL ? VK_NULL_HANDLE : *(VkEvent *)sync_event;
    return 0;
}

static int read_at(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                   int64_t bytes, struct adi_error *error) {
    void *own;
    if (bytes == 0) return 0;
    ADI_TRY(adi_device_vulkan.alloc(device, bytes, &own, error));
    staging.from = (VkBuffer)(uintptr_t)buffer;
    staging.to = (VkBuffer)(uintptr_t)own;
    staging.range = (VkBufferCopy){(VkDeviceSize)offset, 0, (VkDeviceSize)bytes};
    int code = base_submit(device, copy_behind, NULL);
    adi_vk.DeviceWaitIdle(base_device(device));
    if (code == 0) code = adi_device_vulkan.read(device, own, 0, to, bytes, error);
    adi_device_vulkan.free(device, own);
    return code;
}

/* `write` of a device: a copy, with no barrier behind it. */
static int write_staged(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    void *own;
    if (bytes == 0 || staging.n == STAGED)
        return adi_device_vulkan.write(device, buffer, offset, from, bytes, error);
    ADI_TRY(adi_device_vulkan.alloc(device, bytes, &own, error));
    staging.staged[staging.n++] = own;
    ADI_TRY(adi_device_vulkan.write(device, own, 0, from, bytes, error));
    staging.event = VK_NULL_HANDLE;
    staging.from = (VkBuffer)(uintptr_t)own;
    staging.to = (VkBuffer)(uintptr_t)buffer;
    staging.range = (VkBufferCopy){0, (VkDeviceSize)offset, (VkDeviceSize)bytes};
    return base_submit(device, copy, NULL);
}

static void name_stages(VkPipelineStageFlags at, bool leads) {
    staging.at = at;
    staging.leads = leads;
    base.ops.batch_submissions = NULL;
    base.ops.write = write_staged;
    base.ops.event = event_at;
    base.ops.event_free = base_event_free;
    base.ops.wait = wait_at;
    base.ops.read = read_at;
}

#endif /* VULKAN_STAGES_H */
