/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer for Vulkan, whole: int32 columns go to the device, and the array is handed out while
 * the copies still run. What a consumer needs is in `sync_event`; what goes with the array is
 * behind `private_data`. Build it as an adapter, and let it be judged:
 *
 *   gcc -shared -fPIC -I build/include -o libmine.so docs/examples/vulkan.c -lvulkan
 *   adicheck run ./libmine.so --device 'vulkan*'
 */
#include <adicheck/adapter.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

/* One buffer of the array: its bytes are written on the host, and copied by the device. */
struct column {
    VkBuffer staging, buffer;
    VkDeviceMemory staging_memory, memory;
};

/* What the exported array owns. */
struct owned {
    VkDevice device;
    VkCommandPool pool;
    VkFence copied;
    VkEvent event; /* sync_event points here: it lives as long as the array */
    struct column columns[2];
    const void *buffers[2];
};

static const struct adi_host *context;

static const void *native(int64_t id, const char *what) {
    return context->get(context, ARROW_DEVICE_VULKAN, id, what);
}

static uint32_t memory_type(VkPhysicalDevice physical, uint32_t allowed, VkFlags wanted) {
    VkPhysicalDeviceMemoryProperties all;
    vkGetPhysicalDeviceMemoryProperties(physical, &all);
    for (uint32_t i = 0; i < all.memoryTypeCount; i++)
        if ((allowed >> i & 1) && (all.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
    return 0;
}

static VkResult make(VkPhysicalDevice physical, VkDevice device, size_t bytes, VkFlags usage,
                     VkFlags wanted, VkBuffer *buffer, VkDeviceMemory *memory) {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    VkMemoryAllocateInfo room = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements needs;
    VkResult result = vkCreateBuffer(device, &info, NULL, buffer);
    if (result != VK_SUCCESS) return result;
    vkGetBufferMemoryRequirements(device, *buffer, &needs);
    room.allocationSize = needs.size;
    room.memoryTypeIndex = memory_type(physical, needs.memoryTypeBits, wanted);
    result = vkAllocateMemory(device, &room, NULL, memory);
    return result != VK_SUCCESS ? result : vkBindBufferMemory(device, *buffer, *memory, 0);
}

static void destroy(struct owned *owned) {
    for (int i = 0; i < 2; i++) {
        const struct column *column = &owned->columns[i];
        vkDestroyBuffer(owned->device, column->staging, NULL);
        vkDestroyBuffer(owned->device, column->buffer, NULL);
        vkFreeMemory(owned->device, column->staging_memory, NULL);
        vkFreeMemory(owned->device, column->memory, NULL);
    }
    vkDestroyEvent(owned->device, owned->event, NULL);
    vkDestroyFence(owned->device, owned->copied, NULL);
    vkDestroyCommandPool(owned->device, owned->pool, NULL);
    free(owned);
}

/* A release may come before the event is set; what the device still uses has to stay until then. */
static void release(struct ArrowArray *array) {
    struct owned *owned = array->private_data;
    vkWaitForFences(owned->device, 1, &owned->copied, VK_TRUE, UINT64_MAX);
    destroy(owned);
    array->release = NULL;
}

/* Queues the copy of one buffer. */
static VkResult copy(VkPhysicalDevice physical, VkDevice device, VkCommandBuffer commands,
                     const void *from, size_t bytes, struct column *to) {
    const VkFlags visible =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VkBufferCopy all = {0, 0, bytes};
    void *map;
    VkResult result = make(physical, device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, visible,
                           &to->staging, &to->staging_memory);
    if (result == VK_SUCCESS)
        result = make(physical, device, bytes, usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                      &to->buffer, &to->memory);
    if (result == VK_SUCCESS)
        result = vkMapMemory(device, to->staging_memory, 0, VK_WHOLE_SIZE, 0, &map);
    if (result != VK_SUCCESS) return result;
    memcpy(map, from, bytes);
    vkUnmapMemory(device, to->staging_memory);
    vkCmdCopyBuffer(commands, to->staging, to->buffer, 1, &all);
    return VK_SUCCESS;
}

static VkResult begin(struct owned *owned, uint32_t family, VkCommandBuffer *commands) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = family};
    VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkCommandBufferAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandBufferCount = 1};
    VkCommandBufferBeginInfo once = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkResult result = vkCreateCommandPool(owned->device, &pool, NULL, &owned->pool);
    if (result == VK_SUCCESS) result = vkCreateEvent(owned->device, &event, NULL, &owned->event);
    if (result == VK_SUCCESS) result = vkCreateFence(owned->device, &fence, NULL, &owned->copied);
    one.commandPool = owned->pool;
    if (result == VK_SUCCESS) result = vkAllocateCommandBuffers(owned->device, &one, commands);
    return result != VK_SUCCESS ? result : vkBeginCommandBuffer(*commands, &once);
}

/* Behind all the copies comes the event, and the fence for the release. */
static VkResult end(struct owned *owned, VkQueue queue, VkCommandBuffer commands) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
    VkSubmitInfo batch = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdSetEvent(commands, owned->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    VkResult result = vkEndCommandBuffer(commands);
    return result != VK_SUCCESS ? result : vkQueueSubmit(queue, 1, &batch, owned->copied);
}

static VkResult send(struct owned *owned, int64_t id, const struct ArrowArray *host) {
    VkPhysicalDevice physical = (VkPhysicalDevice)native(id, "vulkan.physical_device");
    size_t n = (size_t)(host->offset + host->length);
    const size_t bytes[2] = {(n + 7) / 8, n * sizeof(int32_t)};
    VkCommandBuffer commands;
    VkResult result = begin(owned, *(const uint32_t *)native(id, "vulkan.queue_family"), &commands);
    for (int i = 0; i < 2 && result == VK_SUCCESS; i++) {
        if (host->buffers[i] == NULL || bytes[i] == 0) continue;
        result =
            copy(physical, owned->device, commands, host->buffers[i], bytes[i], &owned->columns[i]);
        owned->buffers[i] = (const void *)owned->columns[i].buffer; /* the handle itself */
    }
    return result != VK_SUCCESS ? result
                                : end(owned, (VkQueue)native(id, "vulkan.queue"), commands);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (type != ARROW_DEVICE_VULKAN || native(id, "vulkan.device") == NULL) return ENOTSUP;
    if (strcmp(schema->format, "i") != 0 || schema->dictionary != NULL) return ENOTSUP;
    struct owned *owned = calloc(1, sizeof *owned);
    if (owned == NULL) return ENOMEM;
    owned->device = (VkDevice)native(id, "vulkan.device");
    if (send(owned, id, host) != VK_SUCCESS) {
        destroy(owned);
        return EIO;
    }
    *out = (struct ArrowDeviceArray){.array = *host,
                                     .device_id = id,
                                     .device_type = type,
                                     .sync_event = &owned->event}; /* its address */
    out->array.buffers = owned->buffers;
    out->array.release = release;
    out->array.private_data = owned;
    host->release(host); /* everything is in the staging memory */
    *schema_out = *schema;
    schema->release = NULL;
    return 0;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_VULKAN ? ADI_PRODUCES : 0;
}

static int remember(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    context = host;
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter mine = {sizeof mine,    ADI_ADAPTER_VERSION, "vulkan producer", "1.0",
                                      .roles = roles, .open = remember,    .produce = produce};
    return &mine;
}
