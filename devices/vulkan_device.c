/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "vulkan_internal.h"

#define LIMIT_MS 10000

static struct adi_vulkan *opened;
static struct {
    adi_vulkan_native_handle_fn *native_handle;
    void *context;
} lender;

void adi_vulkan_borrow(adi_vulkan_native_handle_fn *native_handle, void *context) {
    lender.native_handle = native_handle;
    lender.context = context;
}

/* Closed, but still in use by a queue that did not end in time. */
static struct adi_vulkan *abandoned;

static int make_semaphore(struct adi_vulkan *vulkan, VkSemaphore *out, struct adi_error *error) {
    static const VkSemaphoreTypeCreateInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                               .pNext = &timeline};
    return VK_CALL(error, CreateSemaphore, vulkan->device, &info, NULL, out);
}

static int create_device(struct adi_vulkan *vulkan, struct adi_error *error) {
    static const float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = vulkan->physical.family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE,
        .bufferDeviceAddress = vulkan->physical.addresses};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VK_TRY(error, CreateDevice, vulkan->physical.handle, &info, NULL, &vulkan->device);
    adi_vk.GetDeviceQueue(vulkan->device, vulkan->physical.family, 0, &vulkan->queue);
    return 0;
}

static const void *borrowed(int64_t id, const char *what) {
    return lender.native_handle(lender.context, id, what);
}

static int borrow_device(struct adi_vulkan *vulkan, struct adi_error *error) {
    ADI_TRY(adi_vulkan_load(error));
    adi_vulkan_layer();
    const uint32_t *family = borrowed(vulkan->id, "vulkan.queue_family");
    if (family == NULL)
        return adi_error_set(error, ENODEV, "nobody lends a vulkan:%" PRId64, vulkan->id);
    vulkan->borrowed = true;
    vulkan->device = (VkDevice)(uintptr_t)borrowed(vulkan->id, "vulkan.device");
    vulkan->queue = (VkQueue)(uintptr_t)borrowed(vulkan->id, "vulkan.queue");
    return adi_vulkan_look(
        (VkPhysicalDevice)(uintptr_t)borrowed(vulkan->id, "vulkan.physical_device"), *family,
        &vulkan->physical, error);
}

static int make_queue(struct adi_vulkan *vulkan, struct adi_error *error) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT |
                                             VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = vulkan->physical.family};
    VK_TRY(error, CreateCommandPool, vulkan->device, &pool, NULL, &vulkan->pool);
    ADI_TRY(make_semaphore(vulkan, &vulkan->done, error));
    return make_semaphore(vulkan, &vulkan->pause_semaphore, error);
}

/* The queue is at its end; takes a device that was made only half. */
static void destroy(struct adi_vulkan *vulkan) {
    bool before = adi_vulkan_own_begin();
    if (vulkan->device != NULL) {
        adi_vulkan_reap_all(vulkan);
        adi_vulkan_checksum_destroy(vulkan);
        adi_vk.DestroyCommandPool(vulkan->device, vulkan->pool, NULL);
        adi_vk.DestroySemaphore(vulkan->device, vulkan->done, NULL);
        adi_vk.DestroySemaphore(vulkan->device, vulkan->pause_semaphore, NULL);
        if (!vulkan->borrowed) adi_vk.DestroyDevice(vulkan->device, NULL);
    }
    adi_vulkan_own_end(before);
    if (vulkan->instance != NULL) adi_vulkan_instance_release();
    pthread_mutex_destroy(&vulkan->mutex);
    free(vulkan);
}

/* Where there is one physical device, two ids are two devices of it. */
static int find_physical(struct adi_vulkan *vulkan, struct adi_error *error) {
    const struct adi_vulkan_instance *instance = vulkan->instance;
    int64_t index = instance->count == 1 && vulkan->id == 1 ? 0 : vulkan->id;
    if (index >= 0 && index < instance->count) vulkan->physical = instance->physical[index];
    if (vulkan->physical.handle != NULL) return 0;
    return adi_error_set(error, ENODEV, "there is no vulkan:%" PRId64 " that can be used",
                         vulkan->id);
}

/* Destroys what was abandoned and has ended after all. */
static void sweep(void) {
    for (struct adi_vulkan **link = &abandoned, *vulkan; (vulkan = *link) != NULL;) {
        uint64_t passed = 0;
        adi_vk.GetSemaphoreCounterValue(vulkan->device, vulkan->done, &passed);
        if (passed < vulkan->last) {
            link = &vulkan->next;
            continue;
        }
        *link = vulkan->next;
        destroy(vulkan);
    }
}

static int open_own(struct adi_vulkan *vulkan, struct adi_error *error) {
    int code = adi_vulkan_instance_get(&vulkan->instance, error);
    if (code != 0) vulkan->instance = NULL;
    if (code == 0) code = find_physical(vulkan, error);
    return code != 0 ? code : create_device(vulkan, error);
}

int adi_vulkan_open(int64_t id, struct adi_vulkan **out, struct adi_error *error) {
    sweep();
    for (*out = opened; *out != NULL; *out = (*out)->next) {
        if ((*out)->id != id) continue;
        (*out)->users++;
        return 0;
    }
    struct adi_vulkan *vulkan = calloc(1, sizeof *vulkan);
    if (vulkan == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    vulkan->id = id;
    vulkan->users = 1;
    vulkan->limit = LIMIT_MS;
    vulkan->end = &vulkan->past;
    pthread_mutex_init(&vulkan->mutex, NULL);
    int code =
        lender.native_handle != NULL ? borrow_device(vulkan, error) : open_own(vulkan, error);
    if (code == 0) code = make_queue(vulkan, error);
    if (code != 0) {
        destroy(vulkan);
        return code;
    }
    vulkan->next = opened;
    opened = vulkan;
    *out = vulkan;
    return 0;
}

/* Whoever was handed the queue may have submitted to it as well. A lost device has nothing that
 * could still run. */
static bool comes_to_its_end(struct adi_vulkan *vulkan) {
    struct adi_vulkan_opening all = {.vulkan = vulkan, .last = vulkan->last};
    struct adi_vulkan_item *nothing;
    if (adi_vulkan_resume(vulkan, NULL) != 0) return false;
    if (adi_vulkan_begin(vulkan, 0, &nothing, NULL) == 0) adi_vulkan_submit(&all, NULL);
    int code = adi_vulkan_await(vulkan, all.last, NULL);
    return code == 0 || code == ENODEV;
}

void adi_vulkan_close(struct adi_vulkan *vulkan) {
    sweep();
    if (--vulkan->users > 0) return;
    struct adi_vulkan **link = &opened;
    while (*link != vulkan) link = &(*link)->next;
    *link = vulkan->next;
    if (comes_to_its_end(vulkan)) {
        destroy(vulkan);
    } else {
        vulkan->next = abandoned;
        abandoned = vulkan;
    }
}

const struct adi_vulkan *adi_vulkan_owner(const void *sync_event) {
    struct adi_vulkan *vulkan = opened;
    while (vulkan != NULL && adi_vulkan_find_event(vulkan, sync_event) == NULL)
        vulkan = vulkan->next;
    return vulkan;
}
