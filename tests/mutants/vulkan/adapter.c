/* SPDX-License-Identifier: Apache-2.0 */
#include "vulkan_mutant.h"

void base_event_query(struct adi_device *device, void *handle) {
    adi_vk.GetEventStatus(base_device(device), (VkEvent)(uintptr_t)handle);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    adi_vk.DestroyEvent(base_device(device), (VkEvent)(uintptr_t)handle, NULL);
}

static const void *native_handle(void *unused, int64_t id, const char *what) {
    (void)unused;
    return base_lent(id, what);
}

static void begin(void) {
    adi_vulkan_borrow(native_handle, NULL);
}

const struct base_kind base_kind = {
    .name = "vulkan base", .device = &adi_device_vulkan, .is_handed_out = true, .begin = begin};
