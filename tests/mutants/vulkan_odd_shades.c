/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a compute shader fills the buffers before the event, and another one reads them: what is
 * bound before the wait is used behind it.
 */
#include "vulkan/shades.h"

static void *of; /* the event of the array that is read */

static int note_event(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    of = sync_event;
    return 0;
}

static int read_by_shader(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    const int64_t end = offset + bytes;
    void *own;
    if (bytes == 0) return 0;
    shading.event = of == NULL ? VK_NULL_HANDLE : *(VkEvent *)of;
    ADI_TRY(alloc_words(device, end, &own, error));
    int code = copy_words(device, (VkBuffer)(uintptr_t)buffer, (VkBuffer)(uintptr_t)own, end / 4,
                          end % 4, error);
    adi_vk.DeviceWaitIdle(base_device(device));
    shading.event = VK_NULL_HANDLE;
    if (code == 0) code = adi_device_vulkan.read(device, own, offset, to, bytes, error);
    adi_device_vulkan.free(device, own);
    return code;
}

void mutate(void) {
    base.ends = end_shading;
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.ops.batch_submissions = NULL;
    base.ops.alloc = alloc_words;
    base.ops.write = write_by_shader;
    base.ops.event = end_array;
    base.ops.wait = note_event;
    base.ops.read = read_by_shader;
}
