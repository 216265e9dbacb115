/* SPDX-License-Identifier: Apache-2.0
 *
 * What the Vulkan device costs beside plain calls of Vulkan on the same queue: to allocate and free
 * 1 MiB, and to bring 64 MiB in and out.
 */
#include "vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "vulkan_part.h"

#define SMALL  ((int64_t)1 << 20)
#define LARGE  ((int64_t)64 << 20)
#define ALLOCS 200 /* in a round */

static struct adi_device device;
static struct adi_vulkan *vulkan;
static struct adi_vulkan_block plain, staging;
static void *ours, *host;
static VkCommandBuffer commands;
static VkFence fence;
static PFN_vkCreateFence create_fence;
static PFN_vkDestroyFence destroy_fence;
static PFN_vkWaitForFences wait_for_fences;
static PFN_vkResetFences reset_fences;

static int alloc_ours(void) {
    void *buffer;
    for (int i = 0; i < ALLOCS; i++) {
        ADI_TRY(device.ops->alloc(&device, SMALL, &buffer, NULL));
        device.ops->free(&device, buffer);
    }
    return 0;
}

static int alloc_plain(void) {
    static const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = (VkDeviceSize)SMALL,
                                            .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .memoryTypeIndex = vulkan->physical.memory};
    VkMemoryRequirements needs;
    VkBuffer buffer;
    VkDeviceMemory memory;
    for (int i = 0; i < ALLOCS; i++) {
        VK_TRY(NULL, CreateBuffer, vulkan->device, &info, NULL, &buffer);
        adi_vk.GetBufferMemoryRequirements(vulkan->device, buffer, &needs);
        of.allocationSize = needs.size;
        VK_TRY(NULL, AllocateMemory, vulkan->device, &of, NULL, &memory);
        VK_TRY(NULL, BindBufferMemory, vulkan->device, buffer, memory, 0);
        adi_vk.DestroyBuffer(vulkan->device, buffer, NULL);
        adi_vk.FreeMemory(vulkan->device, memory, NULL);
    }
    return 0;
}

static int in_ours(void) {
    ADI_TRY(device.ops->write(&device, ours, 0, host, LARGE, NULL));
    return adi_vulkan_await(vulkan, vulkan->last, NULL);
}

static int out_ours(void) {
    return device.ops->read(&device, ours, 0, host, LARGE, NULL);
}

static int copy(VkBuffer from, VkBuffer to) {
    static const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkBufferCopy range = {0, 0, (VkDeviceSize)LARGE};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
    VK_TRY(NULL, BeginCommandBuffer, commands, &begin);
    adi_vk.CmdCopyBuffer(commands, from, to, 1, &range);
    VK_TRY(NULL, EndCommandBuffer, commands);
    VK_TRY(NULL, QueueSubmit, vulkan->queue, 1, &info, fence);
    wait_for_fences(vulkan->device, 1, &fence, VK_TRUE, UINT64_MAX);
    return adi_vulkan_result(reset_fences(vulkan->device, 1, &fence), "vkResetFences", NULL);
}

static int in_plain(void) {
    memcpy(staging.map, host, (size_t)LARGE);
    return copy(staging.buffer, plain.buffer);
}

static int out_plain(void) {
    ADI_TRY(copy(plain.buffer, staging.buffer));
    memcpy(host, staging.map, (size_t)LARGE);
    return 0;
}

static const struct adi_bench_way ways[] = {
    {"alloc + free 1 MiB", alloc_ours, alloc_plain},
    {"64 MiB in", in_ours, in_plain},
    {"64 MiB out", out_ours, out_plain},
};

static int begin(struct adi_error *error) {
    static const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkCommandBufferAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = vulkan->pool,
                                      .commandBufferCount = 1};
    VkInstance instance = vulkan->instance->handle;
#define FIND(to, name) to = (PFN_##name)adi_vk.GetInstanceProcAddr(instance, #name)
    FIND(create_fence, vkCreateFence);
    FIND(destroy_fence, vkDestroyFence);
    FIND(wait_for_fences, vkWaitForFences);
    FIND(reset_fences, vkResetFences);
    ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_ON_DEVICE, LARGE, &plain, error));
    ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_STAGING, LARGE, &staging, error));
    VK_TRY(error, AllocateCommandBuffers, vulkan->device, &of, &commands);
    ADI_TRY(adi_vulkan_result(create_fence(vulkan->device, &info, NULL, &fence), "vkCreateFence",
                              error));
    host = calloc(1, (size_t)LARGE);
    if (host == NULL) return adi_error_set(error, 1, "no memory for %lld bytes", (long long)LARGE);
    return device.ops->alloc(&device, LARGE, &ours, error);
}

void adi_bench_vulkan(void) {
    struct adi_error error;
    if (adi_device_vulkan.open(0, &device, &error) != 0) {
        printf("  %-8s left out: %s\n", "vulkan", error.text);
        return;
    }
    vulkan = ((struct adi_vulkan_opening *)device.state)->vulkan;
    if (begin(&error) != 0) {
        fprintf(stderr, "bench: Vulkan: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    adi_bench_ways("vulkan", ways, sizeof ways / sizeof *ways);
    device.ops->free(&device, ours);
    destroy_fence(vulkan->device, fence, NULL);
    adi_vulkan_block_destroy(vulkan, &plain);
    adi_vulkan_block_destroy(vulkan, &staging);
    device.ops->close(&device);
    free(host);
}
