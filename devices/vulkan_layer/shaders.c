/* SPDX-License-Identifier: Apache-2.0
 *
 * Shaders, and what they are given: the buffers that are bound when they run.
 */
#include "vk_pause.h"

/* What of it may be written. It is nobody's: who leaves it behind is not told here. */
static void keep(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                 const uint32_t writes[MOST_SETS], const char *call) {
    struct object *object = objects_add_nobodys(handle, kind, device, call);
    for (int i = 0; object != NULL && i < MOST_SETS; i++) object->writes[i] = writes[i];
}

static void forget(uint64_t handle, enum adi_vulkan_kind kind) {
    objects_lock();
    struct object *object = tracked_find(handle, kind);
    if (object != NULL) tracked_die(&object->tracked);
    objects_unlock();
}

VkResult VKAPI_CALL seen_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                            const VkAllocationCallbacks *allocator,
                                            VkShaderModule *out) {
    uint32_t writes[MOST_SETS];
    VkResult result = NEXT_OF(device)->CreateShaderModule(device, info, allocator, out);
    if (result != VK_SUCCESS) return result;
    objects_lock();
    spirv_look(info->pCode, info->codeSize / sizeof *info->pCode, writes);
    keep((uint64_t)*out, ADI_VULKAN_SHADER, device, writes, "vkCreateShaderModule");
    objects_unlock();
    return result;
}

void VKAPI_CALL seen_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                         const VkAllocationCallbacks *allocator) {
    forget((uint64_t)module, ADI_VULKAN_SHADER);
    NEXT_OF(device)->DestroyShaderModule(device, module, allocator);
}

/* Of a module that is not known: everything. */
static void find_writes(const VkPipelineShaderStageCreateInfo *stage, uint32_t writes[MOST_SETS]) {
    const struct object *module = tracked_find((uint64_t)stage->module, ADI_VULKAN_SHADER);
    spirv_look(NULL, 0, writes);
    for (int i = 0; module != NULL && i < MOST_SETS; i++) writes[i] = module->writes[i];
}

VkResult VKAPI_CALL seen_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t n,
                                                const VkComputePipelineCreateInfo *infos,
                                                const VkAllocationCallbacks *allocator,
                                                VkPipeline *out) {
    VkResult result =
        NEXT_OF(device)->CreateComputePipelines(device, cache, n, infos, allocator, out);
    objects_lock();
    for (uint32_t i = 0; i < n; i++) {
        uint32_t writes[MOST_SETS];
        if (out[i] == VK_NULL_HANDLE) continue;
        find_writes(&infos[i].stage, writes);
        keep((uint64_t)out[i], ADI_VULKAN_PIPELINE, device, writes, "vkCreateComputePipelines");
    }
    objects_unlock();
    return result;
}

void VKAPI_CALL seen_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                     const VkAllocationCallbacks *allocator) {
    forget((uint64_t)pipeline, ADI_VULKAN_PIPELINE);
    NEXT_OF(device)->DestroyPipeline(device, pipeline, allocator);
}

void VKAPI_CALL seen_CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                     VkPipeline pipeline) {
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
        objects_lock();
        record_pipeline(commands, (uint64_t)pipeline);
        objects_unlock();
    }
    NEXT_OF(commands)->CmdBindPipeline(commands, point, pipeline);
}

void VKAPI_CALL seen_CmdBindDescriptorSets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t first, uint32_t n,
                                           const VkDescriptorSet *sets, uint32_t n_offsets,
                                           const uint32_t *offsets) {
    objects_lock();
    for (uint32_t i = 0; i < n && point == VK_PIPELINE_BIND_POINT_COMPUTE; i++)
        record_set(commands, first + i, (uint64_t)sets[i]);
    objects_unlock();
    NEXT_OF(commands)->CmdBindDescriptorSets(commands, point, layout, first, n, sets, n_offsets,
                                             offsets);
}

/* A shader may read whatever is bound when it runs, and write what it does not say it only reads.
 */
static void dispatch(VkCommandBuffer commands, const char *call) {
    objects_lock();
    const struct record_bound *bound = record_bound(commands);
    const struct object *pipeline =
        bound == NULL ? NULL : tracked_find(bound->pipeline, ADI_VULKAN_PIPELINE);
    for (uint32_t i = 0; bound != NULL && i < MOST_SETS; i++) {
        const struct object *set = tracked_find(bound->sets[i], ADI_VULKAN_SET);
        for (uint32_t j = 0; set != NULL && j < MOST_BOUND; j++) {
            bool writes = pipeline == NULL || (pipeline->writes[i] >> j & 1) != 0;
            if (set->bound[j] != 0)
                record_add(commands, &(struct recorded){.step = writes ? STEP_TOUCH : STEP_READ,
                                                        .handle = set->bound[j],
                                                        .call = call,
                                                        .from = set->extents[j].from,
                                                        .bytes = set->extents[j].bytes,
                                                        .is_within = true,
                                                        .stages.first = STAGES_COMPUTE});
        }
    }
    objects_unlock();
}

void VKAPI_CALL seen_CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    dispatch(commands, "vkCmdDispatch");
    NEXT_OF(commands)->CmdDispatch(commands, x, y, z);
}

void VKAPI_CALL seen_CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset) {
    if (!objects_live("vkCmdDispatchIndirect", (uint64_t)buffer, ADI_VULKAN_BUFFER)) return;
    steps_add(commands, &(struct recorded){.step = STEP_READ,
                                           .handle = (uint64_t)buffer,
                                           .call = "vkCmdDispatchIndirect",
                                           .from = offset,
                                           .bytes = sizeof(VkDispatchIndirectCommand),
                                           .stages.first = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT});
    dispatch(commands, "vkCmdDispatchIndirect");
    NEXT_OF(commands)->CmdDispatchIndirect(commands, buffer, offset);
}

/* One call under the names that it has had. */
#define BASE(suffix)                                                                               \
    void VKAPI_CALL seen_CmdDispatchBase##suffix(VkCommandBuffer commands, uint32_t x, uint32_t y, \
                                                 uint32_t z, uint32_t n, uint32_t m, uint32_t o) { \
        dispatch(commands, "vkCmdDispatchBase");                                                   \
        NEXT_OF(commands)->CmdDispatchBase##suffix(commands, x, y, z, n, m, o);                    \
    }
BASE()
BASE(KHR)
