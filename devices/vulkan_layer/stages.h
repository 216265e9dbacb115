/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: pipeline stages, as dependencies name them ("Synchronization Scopes"
 * of the Vulkan specification). Sets of VkPipelineStageFlagBits2, whose lower half the older calls
 * have, too.
 */
#ifndef ADI_VULKAN_STAGES_H
#define ADI_VULKAN_STAGES_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#define STAGES_ALL     (~UINT64_C(0))
#define STAGES_COPY    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
#define STAGES_COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT

/* The stages whose work a dependency with this mask waits for. */
VkPipelineStageFlags2 stages_first(VkPipelineStageFlags2 mask);
/* The stages whose work waits. */
VkPipelineStageFlags2 stages_second(VkPipelineStageFlags2 mask);

/* Both of a dependency that has a mask of its own with each barrier. */
struct stages {
    VkPipelineStageFlags2 first, second;
};
struct stages stages_of(const VkDependencyInfo *info);

#endif /* ADI_VULKAN_STAGES_H */
