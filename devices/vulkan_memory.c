/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_internal.h"

static int bind(struct adi_vulkan *vulkan, enum adi_vulkan_location location,
                struct adi_vulkan_block *block, struct adi_error *error) {
    const struct adi_vulkan_physical *physical = &vulkan->physical;
    bool addressed = location == ADI_VULKAN_ON_DEVICE && physical->addresses;
    VkMemoryRequirements needs;
    adi_vk.GetBufferMemoryRequirements(vulkan->device, block->buffer, &needs);
    VkMemoryAllocateFlagsInfo addressable = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = addressed ? &addressable : NULL,
        .allocationSize = needs.size,
        .memoryTypeIndex = location == ADI_VULKAN_STAGING ? physical->staging : physical->memory};
    VK_TRY(error, AllocateMemory, vulkan->device, &info, NULL, &block->memory);
    VK_TRY(error, BindBufferMemory, vulkan->device, block->buffer, block->memory, 0);
    if (addressed) {
        VkBufferDeviceAddressInfo which = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                           .buffer = block->buffer};
        block->address = adi_vk.GetBufferDeviceAddress(vulkan->device, &which);
    }
    if (location == ADI_VULKAN_ON_DEVICE && !physical->mapped) return 0;
    VK_TRY(error, MapMemory, vulkan->device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->map);
    return 0;
}

int adi_vulkan_block_make(struct adi_vulkan *vulkan, enum adi_vulkan_location location,
                          int64_t bytes, struct adi_vulkan_block *out, struct adi_error *error) {
    bool addressed = location == ADI_VULKAN_ON_DEVICE && vulkan->physical.addresses;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = (VkDeviceSize)bytes,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    if (addressed) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    *out = (struct adi_vulkan_block){.bytes = bytes};
    if ((uint64_t)bytes > vulkan->physical.most)
        return adi_error_set(error, ENOMEM,
                             "no memory for %" PRId64 " bytes: vulkan:%" PRId64 " takes %" PRIu64
                             " at most",
                             bytes, vulkan->id, (uint64_t)vulkan->physical.most);
    int code = VK_CALL(error, CreateBuffer, vulkan->device, &info, NULL, &out->buffer);
    if (code == 0) code = bind(vulkan, location, out, error);
    if (code != 0) adi_vulkan_block_destroy(vulkan, out);
    return code;
}

void adi_vulkan_block_destroy(struct adi_vulkan *vulkan, struct adi_vulkan_block *block) {
    adi_vk.DestroyBuffer(vulkan->device, block->buffer, NULL);
    adi_vk.FreeMemory(vulkan->device, block->memory, NULL);
    *block = (struct adi_vulkan_block){0};
}

static void link_first(struct adi_vulkan_item **list, struct adi_vulkan_item *item) {
    item->next = *list;
    item->link = list;
    if (item->next != NULL) item->next->link = &item->next;
    *list = item;
}

static void destroy(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    bool foreign = item->block.memory == VK_NULL_HANDLE;
    if (!foreign) adi_vulkan_block_destroy(vulkan, &item->block);
    adi_vk.DestroyEvent(vulkan->device, item->event, NULL);
    free(item);
}

void adi_vulkan_item_own(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    pthread_mutex_lock(&vulkan->mutex);
    link_first(&vulkan->live, item);
    pthread_mutex_unlock(&vulkan->mutex);
}

void adi_vulkan_item_give_back(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    pthread_mutex_lock(&vulkan->mutex);
    if (item->link != NULL) {
        *item->link = item->next;
        if (item->next != NULL) item->next->link = item->link;
    }
    item->at = vulkan->last + (vulkan->recorded != NULL);
    item->next = NULL;
    item->link = NULL;
    *vulkan->end = item;
    vulkan->end = &item->next;
    pthread_mutex_unlock(&vulkan->mutex);
}

struct adi_vulkan_item *adi_vulkan_find_buffer(struct adi_vulkan *vulkan, const void *value,
                                               int64_t *offset) {
    uint64_t number = (uintptr_t)value;
    *offset = 0;
    pthread_mutex_lock(&vulkan->mutex);
    struct adi_vulkan_item *item = vulkan->live;
    for (; item != NULL; item = item->next)
        if (number != 0 && (uint64_t)item->block.buffer == number) break;
    if (item == NULL) {
        for (item = vulkan->live; item != NULL; item = item->next)
            if (item->block.address != 0 && number >= item->block.address &&
                number - item->block.address < (uint64_t)item->block.bytes)
                break;
        if (item != NULL) *offset = (int64_t)(number - item->block.address);
    }
    pthread_mutex_unlock(&vulkan->mutex);
    return item;
}

struct adi_vulkan_item *adi_vulkan_find_event(struct adi_vulkan *vulkan, const void *sync_event) {
    pthread_mutex_lock(&vulkan->mutex);
    struct adi_vulkan_item *item = vulkan->live;
    while (item != NULL && (const void *)&item->event != sync_event) item = item->next;
    pthread_mutex_unlock(&vulkan->mutex);
    return item != NULL && item->event != VK_NULL_HANDLE ? item : NULL;
}

/* Has the buffer been given back, while the queue may still use it? */
static bool is_past(struct adi_vulkan *vulkan, uint64_t buffer) {
    pthread_mutex_lock(&vulkan->mutex);
    const struct adi_vulkan_item *item = vulkan->past;
    while (item != NULL && (uint64_t)item->block.buffer != buffer) item = item->next;
    pthread_mutex_unlock(&vulkan->mutex);
    return item != NULL;
}

/* Takes what is up to `passed` off the list of the past. Submissions become spare, for command
 * buffers belong to the thread that records; the others are the caller's to destroy. */
static struct adi_vulkan_item *take_past(struct adi_vulkan *vulkan, uint64_t passed) {
    struct adi_vulkan_item *over = NULL, *item;
    pthread_mutex_lock(&vulkan->mutex);
    while ((item = vulkan->past) != NULL && item->at <= passed) {
        vulkan->past = item->next;
        if (vulkan->past == NULL) vulkan->end = &vulkan->past;
        link_first(item->commands != NULL ? &vulkan->spare : &over, item);
    }
    pthread_mutex_unlock(&vulkan->mutex);
    return over;
}

static void destroy_list(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    while (item != NULL) {
        struct adi_vulkan_item *next = item->next;
        destroy(vulkan, item);
        item = next;
    }
}

void adi_vulkan_reap_to(struct adi_vulkan *vulkan, uint64_t passed) {
    bool before = adi_vulkan_own_begin();
    destroy_list(vulkan, take_past(vulkan, passed));
    adi_vulkan_own_end(before);
}

void adi_vulkan_reap(struct adi_vulkan *vulkan) {
    uint64_t passed;
    pthread_mutex_lock(&vulkan->mutex);
    bool is_empty = vulkan->past == NULL;
    pthread_mutex_unlock(&vulkan->mutex);
    if (is_empty) return;
    bool before = adi_vulkan_own_begin();
    VkResult result = adi_vk.GetSemaphoreCounterValue(vulkan->device, vulkan->done, &passed);
    adi_vulkan_own_end(before);
    if (result == VK_SUCCESS) adi_vulkan_reap_to(vulkan, passed);
}

void adi_vulkan_reap_all(struct adi_vulkan *vulkan) {
    destroy_list(vulkan, take_past(vulkan, UINT64_MAX));
    destroy_list(vulkan, vulkan->spare);
    destroy_list(vulkan, vulkan->live);
    vulkan->spare = vulkan->live = NULL;
}

/* A buffer that the layer has seen being made on this device, or being asked for its address, and
 * the offset in it that the value names; NULL: it is none. */
static const struct adi_vulkan_block *find_foreign(struct adi_vulkan *vulkan, const void *value,
                                                   int64_t *offset) {
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    uint64_t number = (uintptr_t)value;
    if (layer == NULL) return NULL;
    struct adi_vulkan_seen seen = layer->look(ADI_VULKAN_BUFFER, number);
    bool is_handle = seen.live && seen.device == vulkan->device;
    if (!is_handle) seen = layer->look_at(vulkan->device, number);
    if (!seen.live || is_past(vulkan, seen.handle)) return NULL;
    *offset = is_handle ? 0 : (int64_t)(number - seen.address);
    vulkan->foreign = (struct adi_vulkan_block){.bytes = (int64_t)seen.bytes};
    memcpy(&vulkan->foreign.buffer, &seen.handle, sizeof seen.handle);
    return &vulkan->foreign;
}

int adi_vulkan_locate(struct adi_vulkan *vulkan, const void *value, int64_t *offset, int64_t bytes,
                      const struct adi_vulkan_block **out, struct adi_error *error) {
    int64_t base;
    const struct adi_vulkan_item *item = adi_vulkan_find_buffer(vulkan, value, &base);
    const struct adi_vulkan_block *block =
        item != NULL ? &item->block : find_foreign(vulkan, value, &base);
    if (block == NULL)
        return adi_error_set(error, EFAULT,
                             "%p is no live VkBuffer or VkDeviceAddress on vulkan:%" PRId64, value,
                             vulkan->id);
    int64_t there = block->bytes - base;
    if (*offset < 0 || bytes < 0 || *offset > there || bytes > there - *offset)
        return adi_error_set(error, EFAULT,
                             "there are no %" PRId64 " bytes at offset %" PRId64
                             " of a buffer of %" PRId64,
                             bytes, *offset, there);
    *offset += base;
    *out = block;
    return 0;
}
