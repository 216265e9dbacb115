/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a shader adds something up in a buffer of the producer, whose
 * calls do not tell what it does with it.
 */
#include "vulkan/vulkan_mutant.h"
#include "vulkan_internal.h"

/* The shader of the sums, with another place for its result. */
static void sum_into(VkCommandBuffer commands, void *with_at) {
    const struct adi_vulkan_checksum *with = with_at;
    const uint32_t words = 1;
    adi_vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, with->pipeline);
    adi_vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, with->layout, 0, 1,
                                 &with->set, 0, NULL);
    adi_vk.CmdPushConstants(commands, with->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof words,
                            &words);
    adi_vk.CmdDispatch(commands, 1, 1, 1);
}

static void put_result(struct adi_vulkan *vulkan, VkBuffer to) {
    VkDescriptorBufferInfo range = {to, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = vulkan->checksum.set,
                                  .dstBinding = 1,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &range};
    adi_vk.UpdateDescriptorSets(vulkan->device, 1, &write, 0, NULL);
}

/* There is something to add: the buffer that was summed last holds a byte that is not zero. */
static int make_sums(struct adi_device *device, struct adi_error *error) {
    uint64_t sum;
    void *own;
    ADI_TRY(adi_device_vulkan.alloc(device, 64, &own, error));
    int code = adi_device_vulkan.write(device, own, 0, "\1\1\1\1", 4, error);
    if (code == 0) code = adi_device_vulkan.checksum(device, own, 0, 4, &sum, error);
    adi_device_vulkan.free(device, own);
    return code;
}

static int read_and_add(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    struct adi_vulkan *vulkan = ((struct adi_vulkan_opening *)device->state)->vulkan;
    ADI_TRY(adi_device_vulkan.read(device, buffer, offset, to, bytes, error));
    if (bytes < 4) return 0;
    ADI_TRY(make_sums(device, error));
    put_result(vulkan, (VkBuffer)(uintptr_t)buffer);
    ADI_TRY(base_submit(device, sum_into, &vulkan->checksum));
    adi_vk.DeviceWaitIdle(base_device(device));
    put_result(vulkan, vulkan->checksum.result.buffer);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_add;
}
