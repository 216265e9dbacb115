/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that a compute shader copies from one buffer to another.
 */
#ifndef VULKAN_SHADES_H
#define VULKAN_SHADES_H

#include <dlfcn.h>
#include <stdint.h>

#include "copy.inc"
#include "vulkan_mutant.h"

#define SETS 4096

/* Of the device that was worked with last. */
static struct shading {
    VkDevice device;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool, full; /* which sets come from, and which they came from before */
    /* What is copied between whole buffers, behind the event if there is one: as many words by the
     * shader, and the bytes that are left by a copy. */
    VkDescriptorSet set;
    VkBuffer from, to;
    uint32_t words, bytes;
    VkEvent event;
} shading;

static int make_layouts(VkDevice device, struct adi_error *error) {
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    static const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    static const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &shading.set_layout,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &constants};
    VK_TRY(error, CreateDescriptorSetLayout, device, &set, NULL, &shading.set_layout);
    VK_TRY(error, CreatePipelineLayout, device, &layout, NULL, &shading.layout);
    return 0;
}

static int make_pipeline(VkDevice device, struct adi_error *error) {
    static const VkShaderModuleCreateInfo code = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = sizeof adi_copy_spirv,
                                                  .pCode = adi_copy_spirv};
    static const VkDescriptorPoolSize sizes = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * SETS};
    static const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS,
        .poolSizeCount = 1,
        .pPoolSizes = &sizes};
    VkShaderModule module;
    VK_TRY(error, CreateShaderModule, device, &code, NULL, &module);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = shading.layout};
    VK_TRY(error, CreateComputePipelines, device, VK_NULL_HANDLE, 1, &info, NULL,
           &shading.pipeline);
    adi_vk.DestroyShaderModule(device, module, NULL);
    VK_TRY(error, CreateDescriptorPool, device, &pool, NULL, &shading.pool);
    VK_TRY(error, CreateDescriptorPool, device, &pool, NULL, &shading.full);
    return 0;
}

static void end_shading(void) {
    const VkDevice device = shading.device;
    if (device == NULL) return;
    adi_vk.DeviceWaitIdle(device);
    adi_vk.DestroyDescriptorPool(device, shading.pool, NULL);
    adi_vk.DestroyDescriptorPool(device, shading.full, NULL);
    adi_vk.DestroyPipeline(device, shading.pipeline, NULL);
    adi_vk.DestroyPipelineLayout(device, shading.layout, NULL);
    adi_vk.DestroyDescriptorSetLayout(device, shading.set_layout, NULL);
    shading.device = NULL;
}

/* Gives the older sets back, which have long been used. */
static void swap_pools(VkDevice device) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW);
    VkDescriptorPool full = shading.pool;
    PFN_vkResetDescriptorPool reset;
    *(void **)(void *)&reset = dlsym(library, "vkResetDescriptorPool");
    shading.pool = shading.full;
    shading.full = full;
    reset(device, shading.pool, 0);
}

/* A set of its own for each pair of buffers. */
static int take_set(VkDevice device, VkBuffer from, VkBuffer to, struct adi_error *error) {
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = shading.pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &shading.set_layout};
    VkDescriptorBufferInfo buffers[] = {{from, 0, VK_WHOLE_SIZE}, {to, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = 2,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = buffers};
    if (adi_vk.AllocateDescriptorSets(device, &info, &shading.set) != VK_SUCCESS) {
        swap_pools(device);
        info.descriptorPool = shading.pool;
        VK_TRY(error, AllocateDescriptorSets, device, &info, &shading.set);
    }
    write.dstSet = shading.set;
    adi_vk.UpdateDescriptorSets(device, 1, &write, 0, NULL);
    return 0;
}

static void shade(VkCommandBuffer commands, void *unused) {
    static const VkMemoryBarrier visible = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    (void)unused;
    adi_vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shading.pipeline);
    adi_vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shading.layout, 0, 1,
                                 &shading.set, 0, NULL);
    adi_vk.CmdPushConstants(commands, shading.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                            sizeof shading.words, &shading.words);
    if (shading.event != VK_NULL_HANDLE)
        adi_vk.CmdWaitEvents(commands, 1, &shading.event, all, all, 1, &visible, 0, NULL, 0, NULL);
    else
        adi_vk.CmdPipelineBarrier(commands, all, all, 0, 1, &visible, 0, NULL, 0, NULL);
    VkBufferCopy rest = {shading.words * 4, shading.words * 4, shading.bytes};
    if (shading.words > 0) adi_vk.CmdDispatch(commands, (shading.words + 63) / 64, 1, 1);
    if (shading.bytes > 0) adi_vk.CmdCopyBuffer(commands, shading.from, shading.to, 1, &rest);
    adi_vk.CmdPipelineBarrier(commands, all, all, 0, 1, &visible, 0, NULL, 0, NULL);
}

/* Submits it, and does not wait. */
static int copy_words(struct adi_device *device, VkBuffer from, VkBuffer to, int64_t words,
                      int64_t bytes, struct adi_error *error) {
    VkDevice handle = base_device(device);
    if (shading.device != handle) {
        VkEvent event = shading.event;
        shading = (struct shading){.event = event};
        ADI_TRY(make_layouts(handle, error));
        ADI_TRY(make_pipeline(handle, error));
        shading.device = handle;
    }
    ADI_TRY(take_set(handle, from, to, error));
    shading.from = from;
    shading.to = to;
    shading.words = (uint32_t)words;
    shading.bytes = (uint32_t)bytes;
    return base_submit(device, shade, NULL);
}

/* ---- a producer ---- */

#define STAGED 64
static void *staged[STAGED]; /* of the array that is made */
static int n_staged;

static int alloc_words(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    return adi_device_vulkan.alloc(device, (bytes + 3) / 4 * 4, buffer, error);
}

static int write_by_shader(struct adi_device *device, void *buffer, int64_t offset,
                           const void *from, int64_t bytes, struct adi_error *error) {
    void *own;
    if (bytes == 0 || offset != 0 || n_staged == STAGED)
        return adi_device_vulkan.write(device, buffer, offset, from, bytes, error);
    ADI_TRY(alloc_words(device, bytes, &own, error));
    staged[n_staged++] = own;
    ADI_TRY(adi_device_vulkan.write(device, own, 0, from, bytes, error));
    return copy_words(device, (VkBuffer)(uintptr_t)own, (VkBuffer)(uintptr_t)buffer,
                      (bytes + 3) / 4, 0, error);
}

/* The array is all there: an event behind it, after which nobody needs what is staged. */
static int end_array(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_vulkan.event(device, sync_event, error));
    while (n_staged > 0) adi_device_vulkan.free(device, staged[--n_staged]);
    return 0;
}

#endif /* VULKAN_SHADES_H */
