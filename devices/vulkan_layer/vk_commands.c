/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that are recorded. What uses an object that is not alive is not recorded: the layer has
 * said so, and the driver would crash.
 */
#include "vk_pause.h"

VkResult VKAPI_CALL seen_BeginCommandBuffer(VkCommandBuffer commands,
                                            const VkCommandBufferBeginInfo *info) {
    steps_begin(commands);
    return NEXT_OF(commands)->BeginCommandBuffer(commands, info);
}

static struct stages of_masks(VkPipelineStageFlags first, VkPipelineStageFlags second) {
    return (struct stages){stages_first(first), stages_second(second)};
}

/* Notes what the command does with the event. false: it is not alive. */
static bool note(VkCommandBuffer commands, enum step step, VkEvent event, struct stages stages,
                 const char *call) {
    if (!objects_live(call, (uint64_t)event, ADI_VULKAN_EVENT)) return false;
    steps_add(commands,
              &(struct recorded){
                  .step = step, .handle = (uint64_t)event, .call = call, .stages = stages});
    return true;
}

/* The same with some bytes of a buffer; none: all from there on. */
static bool note_bytes(VkCommandBuffer commands, enum step step, VkBuffer buffer, VkDeviceSize from,
                       VkDeviceSize bytes, const char *call) {
    if (!objects_live(call, (uint64_t)buffer, ADI_VULKAN_BUFFER) ||
        !objects_have(call, buffer, from, bytes))
        return false;
    steps_add(commands, &(struct recorded){.step = step,
                                           .handle = (uint64_t)buffer,
                                           .call = call,
                                           .from = from,
                                           .bytes = bytes,
                                           .stages.first = STAGES_COPY});
    return true;
}

static void note_barrier(VkCommandBuffer commands, struct stages stages, const char *call) {
    steps_add(commands, &(struct recorded){.step = STEP_BARRIER, .call = call, .stages = stages});
}

void VKAPI_CALL seen_CmdCopyBuffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t n,
                                   const VkBufferCopy *regions) {
    static const char call[] = "vkCmdCopyBuffer";
    bool live = true;
    for (uint32_t i = 0; i < n && live; i++)
        live = note_bytes(commands, STEP_READ, from, regions[i].srcOffset, regions[i].size, call) &&
               note_bytes(commands, STEP_WRITE, to, regions[i].dstOffset, regions[i].size, call);
    if (live) NEXT_OF(commands)->CmdCopyBuffer(commands, from, to, n, regions);
}

void VKAPI_CALL seen_CmdFillBuffer(VkCommandBuffer commands, VkBuffer to, VkDeviceSize offset,
                                   VkDeviceSize bytes, uint32_t data) {
    VkDeviceSize known = bytes == VK_WHOLE_SIZE ? 0 : bytes;
    if (note_bytes(commands, STEP_WRITE, to, offset, known, "vkCmdFillBuffer"))
        NEXT_OF(commands)->CmdFillBuffer(commands, to, offset, bytes, data);
}

void VKAPI_CALL seen_CmdUpdateBuffer(VkCommandBuffer commands, VkBuffer to, VkDeviceSize offset,
                                     VkDeviceSize bytes, const void *data) {
    if (note_bytes(commands, STEP_WRITE, to, offset, bytes, "vkCmdUpdateBuffer"))
        NEXT_OF(commands)->CmdUpdateBuffer(commands, to, offset, bytes, data);
}

void VKAPI_CALL seen_CmdSetEvent(VkCommandBuffer commands, VkEvent event,
                                 VkPipelineStageFlags stages) {
    if (!objects_owns("vkCmdSetEvent", event)) return;
    note(commands, STEP_SET, event, of_masks(stages, 0), "vkCmdSetEvent");
    NEXT_OF(commands)->CmdSetEvent(commands, event, stages);
}

void VKAPI_CALL seen_CmdResetEvent(VkCommandBuffer commands, VkEvent event,
                                   VkPipelineStageFlags stages) {
    if (objects_owns("vkCmdResetEvent", event))
        NEXT_OF(commands)->CmdResetEvent(commands, event, stages);
}

void VKAPI_CALL seen_CmdWaitEvents(VkCommandBuffer commands, uint32_t n, const VkEvent *events,
                                   VkPipelineStageFlags from, VkPipelineStageFlags to,
                                   uint32_t n_memory, const VkMemoryBarrier *memory,
                                   uint32_t n_buffers, const VkBufferMemoryBarrier *buffers,
                                   uint32_t n_images, const VkImageMemoryBarrier *images) {
    const struct stages stages = of_masks(from, to);
    bool live = true;
    for (uint32_t i = 0; i < n; i++)
        live = note(commands, STEP_WAIT, events[i], stages, "vkCmdWaitEvents") && live;
    if (live)
        NEXT_OF(commands)->CmdWaitEvents(commands, n, events, from, to, n_memory, memory, n_buffers,
                                         buffers, n_images, images);
}

void VKAPI_CALL seen_CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                                        VkPipelineStageFlags to, VkDependencyFlags flags,
                                        uint32_t n_memory, const VkMemoryBarrier *memory,
                                        uint32_t n_buffers, const VkBufferMemoryBarrier *buffers,
                                        uint32_t n_images, const VkImageMemoryBarrier *images) {
    note_barrier(commands, of_masks(from, to), "vkCmdPipelineBarrier");
    NEXT_OF(commands)->CmdPipelineBarrier(commands, from, to, flags, n_memory, memory, n_buffers,
                                          buffers, n_images, images);
}

void VKAPI_CALL seen_CmdExecuteCommands(VkCommandBuffer commands, uint32_t n,
                                        const VkCommandBuffer *others) {
    for (uint32_t i = 0; i < n; i++) steps_take_over(commands, others[i]);
    NEXT_OF(commands)->CmdExecuteCommands(commands, n, others);
}

/* Calls that came with Vulkan 1.3, and under another name before. */
#define SECOND(suffix)                                                                             \
    void VKAPI_CALL seen_CmdSetEvent2##suffix(VkCommandBuffer commands, VkEvent event,             \
                                              const VkDependencyInfo *info) {                      \
        if (!objects_owns("vkCmdSetEvent2", event)) return;                                        \
        note(commands, STEP_SET, event, stages_of(info), "vkCmdSetEvent2");                        \
        NEXT_OF(commands)->CmdSetEvent2##suffix(commands, event, info);                            \
    }                                                                                              \
    void VKAPI_CALL seen_CmdResetEvent2##suffix(VkCommandBuffer commands, VkEvent event,           \
                                                VkPipelineStageFlags2 stages) {                    \
        if (objects_owns("vkCmdResetEvent2", event))                                               \
            NEXT_OF(commands)->CmdResetEvent2##suffix(commands, event, stages);                    \
    }                                                                                              \
    void VKAPI_CALL seen_CmdWaitEvents2##suffix(VkCommandBuffer commands, uint32_t n,              \
                                                const VkEvent *events,                             \
                                                const VkDependencyInfo *infos) {                   \
        bool live = true;                                                                          \
        for (uint32_t i = 0; i < n; i++)                                                           \
            live =                                                                                 \
                note(commands, STEP_WAIT, events[i], stages_of(&infos[i]), "vkCmdWaitEvents2") &&  \
                live;                                                                              \
        if (live) NEXT_OF(commands)->CmdWaitEvents2##suffix(commands, n, events, infos);           \
    }                                                                                              \
    void VKAPI_CALL seen_CmdPipelineBarrier2##suffix(VkCommandBuffer commands,                     \
                                                     const VkDependencyInfo *info) {               \
        note_barrier(commands, stages_of(info), "vkCmdPipelineBarrier2");                          \
        NEXT_OF(commands)->CmdPipelineBarrier2##suffix(commands, info);                            \
    }
SECOND()
SECOND(KHR)
