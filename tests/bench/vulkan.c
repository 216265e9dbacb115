/* SPDX-License-Identifier: Apache-2.0
 *
 * What the Vulkan device costs beside plain calls of Vulkan on the same queue.
 */
#include "vulkan.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "vulkan_internal.h"
#include "ways.h"

static struct adi_vulkan *vulkan;
static struct adi_vulkan_block large, staging;
static VkCommandBuffer commands;
static VkFence fence;
static PFN_vkWaitForFences wait_for_fences;
static PFN_vkResetFences reset_fences;

/* ---- plain calls ---- */

struct block {
    VkBuffer buffer;
    VkDeviceMemory memory;
};

static int make(size_t bytes, uint32_t type, struct block *out) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .memoryTypeIndex = type};
    VkMemoryRequirements needs;
    VK_TRY(NULL, CreateBuffer, vulkan->device, &info, NULL, &out->buffer);
    adi_vk.GetBufferMemoryRequirements(vulkan->device, out->buffer, &needs);
    of.allocationSize = needs.size;
    VK_TRY(NULL, AllocateMemory, vulkan->device, &of, NULL, &out->memory);
    return VK_CALL(NULL, BindBufferMemory, vulkan->device, out->buffer, out->memory, 0);
}

static void destroy(const struct block *block) {
    adi_vk.DestroyBuffer(vulkan->device, block->buffer, NULL);
    adi_vk.FreeMemory(vulkan->device, block->memory, NULL);
}

static int alloc_plain(void) {
    struct block block;
    ADI_TRY(make((size_t)ADI_BENCH_SMALL, vulkan->physical.memory, &block));
    destroy(&block);
    return 0;
}

/* Records a copy; `submit` ends what else is recorded. */
static int copy(VkBuffer from, VkBuffer to, size_t bytes) {
    static const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkBufferCopy range = {0, 0, bytes};
    VK_TRY(NULL, BeginCommandBuffer, commands, &begin);
    adi_vk.CmdCopyBuffer(commands, from, to, 1, &range);
    return 0;
}

static int submit(void) {
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
    VK_TRY(NULL, EndCommandBuffer, commands);
    return VK_CALL(NULL, QueueSubmit, vulkan->queue, 1, &info, fence);
}

static int await_end(void) {
    wait_for_fences(vulkan->device, 1, &fence, VK_TRUE, UINT64_MAX);
    return adi_vulkan_result(reset_fences(vulkan->device, 1, &fence), "vkResetFences", NULL);
}

/* The staging memory and the command buffer are there already, as a producer would keep them. A
 * submission that has set the event may still be using it: only the fence says that it is over. */
static int export_plain(void) {
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    struct ArrowDeviceArray out;
    struct block values;
    VkEvent event;
    VkResult status;
    ADI_TRY(make(adi_bench_on.bytes, vulkan->physical.memory, &values));
    VK_TRY(NULL, CreateEvent, vulkan->device, &info, NULL, &event);
    memcpy(staging.map, adi_bench_on.values, adi_bench_on.bytes);
    ADI_TRY(copy(staging.buffer, values.buffer, adi_bench_on.bytes));
    adi_vulkan_publish(commands);
    adi_vk.CmdSetEvent(commands, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    ADI_TRY(submit());
    ADI_TRY(adi_bench_hand_out((void *)(uintptr_t)values.buffer, &event, &out));
    while ((status = adi_vk.GetEventStatus(vulkan->device, event)) == VK_EVENT_RESET) sched_yield();
    ADI_TRY(await_end());
    out.array.release(&out.array);
    adi_vk.DestroyEvent(vulkan->device, event, NULL);
    destroy(&values);
    return status != VK_EVENT_SET;
}

static int in_plain(void) {
    memcpy(staging.map, adi_bench_on.host, (size_t)ADI_BENCH_LARGE);
    ADI_TRY(copy(staging.buffer, large.buffer, (size_t)ADI_BENCH_LARGE));
    ADI_TRY(submit());
    return await_end();
}

static int out_plain(void) {
    ADI_TRY(copy(large.buffer, staging.buffer, (size_t)ADI_BENCH_LARGE));
    adi_vulkan_publish(commands);
    ADI_TRY(submit());
    ADI_TRY(await_end());
    memcpy(adi_bench_on.host, staging.map, (size_t)ADI_BENCH_LARGE);
    return 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    ADI_TRY(device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                               NULL));
    return adi_vulkan_await(vulkan, vulkan->last, NULL);
}

static int begin(struct adi_error *error) {
    static const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    ADI_TRY(adi_bench_open(&adi_device_vulkan, error));
    vulkan = ((struct adi_vulkan_opening *)adi_bench_on.device.state)->vulkan;
    VkCommandBufferAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = vulkan->pool,
                                      .commandBufferCount = 1};
    VkInstance instance = vulkan->instance->handle;
    PFN_vkCreateFence create_fence;
#define FIND(to, name) to = (PFN_##name)adi_vk.GetInstanceProcAddr(instance, #name)
    FIND(create_fence, vkCreateFence);
    FIND(wait_for_fences, vkWaitForFences);
    FIND(reset_fences, vkResetFences);
    ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_ON_DEVICE, ADI_BENCH_LARGE, &large, error));
    ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_STAGING, ADI_BENCH_LARGE, &staging, error));
    VK_TRY(error, AllocateCommandBuffers, vulkan->device, &of, &commands);
    return adi_vulkan_result(create_fence(vulkan->device, &info, NULL, &fence), "vkCreateFence",
                             error);
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 100, adi_bench_alloc, alloc_plain},
        {"export + release", 20, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    if (begin(&error) != 0)
        printf("  %-8s left out: %s\n", "vulkan", error.text);
    else
        adi_bench_ways("vulkan", ways, sizeof ways / sizeof *ways);
}

void adi_bench_vulkan(void) {
    adi_bench_apart(measure);
}
