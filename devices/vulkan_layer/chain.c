/* SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

#define DEVICES 16

static struct device devices[DEVICES];

struct device *chain_device(const void *handle) {
    struct device *device = devices;
    while (device->key != chain_key(handle)) device++;
    return device;
}

struct device *chain_each(const struct device *before) {
    for (size_t i = before == NULL ? 0 : (size_t)(before - devices) + 1; i < DEVICES; i++)
        if (devices[i].handle != NULL) return &devices[i];
    return NULL;
}

struct queue *chain_queue(struct device *device, VkQueue handle) {
    for (size_t i = 0; i < MOST_QUEUES; i++) {
        struct queue *queue = &device->queues[i];
        if (queue->handle != NULL && queue->handle != handle) continue;
        static unsigned number;
        if (queue->handle == NULL) queue->number = ++number;
        queue->handle = handle;
        return queue;
    }
    return NULL;
}

struct device *chain_room(void) {
    for (size_t i = 0; i < DEVICES; i++)
        if (devices[i].handle == NULL) return &devices[i];
    return NULL;
}

void chain_take_in(struct device *device, VkDevice handle, PFN_vkGetDeviceProcAddr get) {
    *device = (struct device){.handle = handle, .key = chain_key(handle), .get = get};
#define NEXT(name) device->next.name = (PFN_vk##name)get(handle, "vk" #name);
#define OWN        NEXT
#include "calls.def"
}
