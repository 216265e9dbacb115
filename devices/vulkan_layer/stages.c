/* SPDX-License-Identifier: Apache-2.0 */
#include "stages.h"

/* Each kind of copy has a stage of its own since Vulkan 1.3. */
static const VkPipelineStageFlags2 copies =
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
    VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;

static VkPipelineStageFlags2 widened(VkPipelineStageFlags2 mask) {
    if ((mask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) return STAGES_ALL;
    return (mask & copies) != 0 ? mask | copies : mask;
}

/* What comes behind all stages waits for all. */
VkPipelineStageFlags2 stages_first(VkPipelineStageFlags2 mask) {
    return (mask & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT) != 0 ? STAGES_ALL : widened(mask);
}

/* A stage that waits keeps those behind it back: of a shader, where its arguments are read. */
VkPipelineStageFlags2 stages_second(VkPipelineStageFlags2 mask) {
    if ((mask & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) != 0) return STAGES_ALL;
    if ((mask & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) != 0) mask |= STAGES_COMPUTE;
    return widened(mask);
}

static void add(struct stages *to, VkPipelineStageFlags2 first, VkPipelineStageFlags2 second) {
    to->first |= stages_first(first);
    to->second |= stages_second(second);
}

struct stages stages_of(const VkDependencyInfo *info) {
    struct stages all = {0};
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        add(&all, info->pMemoryBarriers[i].srcStageMask, info->pMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
        add(&all, info->pBufferMemoryBarriers[i].srcStageMask,
            info->pBufferMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        add(&all, info->pImageMemoryBarriers[i].srcStageMask,
            info->pImageMemoryBarriers[i].dstStageMask);
    return all;
}
