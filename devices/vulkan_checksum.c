/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include <inttypes.h>

#include "vulkan_checksum.inc"
#include "vulkan_internal.h"

#define PIECE       ((int64_t)16 << 20) /* the sum of so many bytes fits into 32 bits */
#define GROUP       64                  /* invocations of one; as in vulkan_checksum.comp */
#define MOST_GROUPS 64

static int make_layouts(struct adi_vulkan *vulkan, struct adi_error *error) {
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    static const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    static const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    struct adi_vulkan_checksum *to = &vulkan->checksum;
    VK_TRY(error, CreateDescriptorSetLayout, vulkan->device, &set, NULL, &to->set_layout);
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &to->set_layout,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &constants};
    VK_TRY(error, CreatePipelineLayout, vulkan->device, &layout, NULL, &to->layout);
    return 0;
}

static int make_pipeline(struct adi_vulkan *vulkan, struct adi_error *error) {
    static const VkShaderModuleCreateInfo shader = {.sType =
                                                        VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                    .codeSize = sizeof adi_vulkan_checksum_spirv,
                                                    .pCode = adi_vulkan_checksum_spirv};
    struct adi_vulkan_checksum *to = &vulkan->checksum;
    VK_TRY(error, CreateShaderModule, vulkan->device, &shader, NULL, &to->shader);
    VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = to->shader,
                  .pName = "main"},
        .layout = to->layout};
    VK_TRY(error, CreateComputePipelines, vulkan->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
           &to->pipeline);
    return 0;
}

static int make_set(struct adi_vulkan *vulkan, struct adi_error *error) {
    static const VkDescriptorPoolSize sizes = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    static const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &sizes};
    struct adi_vulkan_checksum *to = &vulkan->checksum;
    VK_TRY(error, CreateDescriptorPool, vulkan->device, &pool, NULL, &to->pool);
    VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = to->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &to->set_layout};
    VK_TRY(error, AllocateDescriptorSets, vulkan->device, &set, &to->set);
    ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_ON_DEVICE, PIECE, &to->input, error));
    ADI_TRY(
        adi_vulkan_block_make(vulkan, ADI_VULKAN_STAGING, sizeof(uint32_t), &to->result, error));
    VkDescriptorBufferInfo buffers[] = {{to->input.buffer, 0, VK_WHOLE_SIZE},
                                        {to->result.buffer, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = to->set,
                                  .descriptorCount = 2,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = buffers};
    adi_vk.UpdateDescriptorSets(vulkan->device, 1, &write, 0, NULL);
    return 0;
}

/* What the driver will not compile, it will not compile later either. */
static int build(struct adi_vulkan *vulkan, struct adi_error *error) {
    struct adi_error why = {""};
    int code = make_layouts(vulkan, &why);
    if (code == 0) code = make_pipeline(vulkan, &why);
    if (code == 0) return 0;
    return adi_error_set(error, code == ENOMEM ? ENOMEM : ENOTSUP,
                         "no shader can be built: %s; VK_ICD_FILENAMES names another driver",
                         why.text);
}

int adi_vulkan_builds(struct adi_vulkan *vulkan, struct adi_error *error) {
    bool before = adi_vulkan_own_begin();
    int code = build(vulkan, error);
    adi_vulkan_checksum_destroy(vulkan);
    adi_vulkan_own_end(before);
    return code;
}

/* At the first use: few need it, and drivers take long to compile. */
static int make(struct adi_vulkan *vulkan, struct adi_error *error) {
    if (vulkan->checksum.result.map != NULL) return 0;
    bool before = adi_vulkan_own_begin();
    int code = build(vulkan, error);
    if (code == 0) code = make_set(vulkan, error);
    if (code != 0) adi_vulkan_checksum_destroy(vulkan);
    adi_vulkan_own_end(before);
    return code;
}

void adi_vulkan_checksum_destroy(struct adi_vulkan *vulkan) {
    struct adi_vulkan_checksum *of = &vulkan->checksum;
    adi_vulkan_block_destroy(vulkan, &of->input);
    adi_vulkan_block_destroy(vulkan, &of->result);
    adi_vk.DestroyDescriptorPool(vulkan->device, of->pool, NULL);
    adi_vk.DestroyPipeline(vulkan->device, of->pipeline, NULL);
    adi_vk.DestroyPipelineLayout(vulkan->device, of->layout, NULL);
    adi_vk.DestroyDescriptorSetLayout(vulkan->device, of->set_layout, NULL);
    adi_vk.DestroyShaderModule(vulkan->device, of->shader, NULL);
    *of = (struct adi_vulkan_checksum){0};
}

/* A shader reads whole words at aligned places of buffers made for it; a copy takes any bytes of
 * any buffer. The last word is filled up with zeros, which add nothing. */
static void record(struct adi_vulkan *vulkan, VkCommandBuffer commands, VkBuffer from,
                   int64_t offset, int64_t bytes) {
    const struct adi_vulkan_checksum *with = &vulkan->checksum;
    const VkDeviceSize word = sizeof(uint32_t), last = (VkDeviceSize)(bytes - 1) / word * word;
    uint32_t words = (uint32_t)(last / word) + 1, groups = (words + GROUP - 1) / GROUP;
    VkBufferCopy range = {(VkDeviceSize)offset, 0, (VkDeviceSize)bytes};
    adi_vulkan_publish(commands);
    adi_vk.CmdFillBuffer(commands, with->input.buffer, last, word, 0);
    adi_vk.CmdFillBuffer(commands, with->result.buffer, 0, word, 0);
    adi_vulkan_publish(commands);
    adi_vk.CmdCopyBuffer(commands, from, with->input.buffer, 1, &range);
    adi_vulkan_publish(commands);
    adi_vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, with->pipeline);
    adi_vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, with->layout, 0, 1,
                                 &with->set, 0, NULL);
    adi_vk.CmdPushConstants(commands, with->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof words,
                            &words);
    adi_vk.CmdDispatch(commands, groups < MOST_GROUPS ? groups : MOST_GROUPS, 1, 1);
    adi_vulkan_publish(commands);
}

int adi_vulkan_checksum(struct adi_device *device, const void *buffer, int64_t offset,
                        int64_t bytes, uint64_t *sum, struct adi_error *error) {
    struct adi_vulkan_opening *opening = device->state;
    struct adi_vulkan *vulkan = opening->vulkan;
    const struct adi_vulkan_block *from;
    struct adi_vulkan_item *submission;
    uint64_t total = 0;
    if (bytes != 0) ADI_TRY(adi_vulkan_locate(vulkan, buffer, &offset, bytes, &from, error));
    if (bytes != 0 && from->memory == VK_NULL_HANDLE)
        return adi_error_set(error, ENOTSUP,
                             "a buffer that somebody else made may not be one for shaders");
    for (int64_t done = 0, piece; done < bytes; done += piece) {
        piece = bytes - done < PIECE ? bytes - done : PIECE;
        ADI_TRY(make(vulkan, error));
        ADI_TRY(adi_vulkan_begin(vulkan, 0, &submission, error));
        record(vulkan, submission->commands, from->buffer, offset + done, piece);
        ADI_TRY(adi_vulkan_submit(opening, error));
        ADI_TRY(adi_vulkan_await(vulkan, opening->last, error));
        total += *(const uint32_t *)vulkan->checksum.result.map;
    }
    *sum = total;
    return 0;
}
