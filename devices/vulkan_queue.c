/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include "vulkan_internal.h"

#define STAGING_UNIT ((int64_t)64 << 10)
#define AHEAD        8                    /* submissions that the host is ahead of the queue */
#define LOOKS        50                   /* before it is slept: falling asleep costs more */
#define PAUSE_MS     100                  /* for the queue to catch up */
#define SPARE_BYTES  ((int64_t)128 << 20) /* of staging memory that is kept for the next ones */

static void unlink_item(struct adi_vulkan_item *item) {
    *item->link = item->next;
    if (item->next != NULL) item->next->link = item->link;
    item->link = NULL;
    item->next = NULL;
}

static void destroy_spare(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    bool before = adi_vulkan_own_begin();
    adi_vk.FreeCommandBuffers(vulkan->device, vulkan->pool, 1, &item->commands);
    adi_vulkan_block_destroy(vulkan, &item->block);
    adi_vulkan_own_end(before);
    free(item);
}

/* The smallest that is large enough. After a burst of large ones none of the others is kept. */
static struct adi_vulkan_item *take_spare(struct adi_vulkan *vulkan, int64_t staging) {
    struct adi_vulkan_item *best = NULL, *others = NULL;
    int64_t bytes = 0;
    pthread_mutex_lock(&vulkan->mutex);
    for (struct adi_vulkan_item *item = vulkan->spare; item != NULL; item = item->next) {
        bytes += item->block.bytes;
        if (item->block.bytes < staging) continue;
        if (best == NULL || item->block.bytes < best->block.bytes) best = item;
    }
    if (best != NULL) unlink_item(best);
    if (bytes > SPARE_BYTES) {
        others = vulkan->spare;
        vulkan->spare = NULL;
    }
    pthread_mutex_unlock(&vulkan->mutex);
    while (others != NULL) {
        struct adi_vulkan_item *next = others->next;
        destroy_spare(vulkan, others);
        others = next;
    }
    return best;
}

static int make(struct adi_vulkan *vulkan, int64_t staging, struct adi_vulkan_item *item,
                struct adi_error *error) {
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = vulkan->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    if (staging > 0) {
        int64_t bytes = staging;
        if (bytes <= INT64_MAX - STAGING_UNIT)
            bytes = (bytes + STAGING_UNIT - 1) / STAGING_UNIT * STAGING_UNIT;
        ADI_TRY(adi_vulkan_block_make(vulkan, ADI_VULKAN_STAGING, bytes, &item->block, error));
    }
    return VK_CALL(error, AllocateCommandBuffers, vulkan->device, &info, &item->commands);
}

static VkResult await(struct adi_vulkan *vulkan, uint64_t at, int64_t milliseconds) {
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &vulkan->done,
                                .pValues = &at};
    return adi_vk.WaitSemaphores(vulkan->device, &info, (uint64_t)milliseconds * 1000000);
}

static bool comes_soon(struct adi_vulkan *vulkan, uint64_t at, uint64_t *passed) {
    *passed = 0;
    for (int looks = 0; looks < LOOKS && *passed < at; looks++) {
        if (looks > 0) sched_yield();
        if (adi_vk.GetSemaphoreCounterValue(vulkan->device, vulkan->done, passed) != VK_SUCCESS)
            return false;
    }
    return *passed >= at;
}

bool adi_vulkan_is_paused(struct adi_vulkan *vulkan) {
    pthread_mutex_lock(&vulkan->mutex);
    bool paused = vulkan->pause_wanted > vulkan->pause_raised;
    pthread_mutex_unlock(&vulkan->mutex);
    return paused;
}

void adi_vulkan_throttle(struct adi_vulkan *vulkan, uint64_t ahead) {
    uint64_t passed;
    pthread_mutex_lock(&vulkan->mutex);
    uint64_t at = vulkan->last > ahead ? vulkan->last - ahead : 0;
    bool paused = vulkan->pause_wanted > vulkan->pause_raised;
    pthread_mutex_unlock(&vulkan->mutex);
    if (paused || at == 0) {
        adi_vulkan_reap(vulkan);
        return;
    }
    bool before = adi_vulkan_own_begin();
    if (!comes_soon(vulkan, at, &passed) && await(vulkan, at, PAUSE_MS) == VK_SUCCESS) passed = at;
    adi_vulkan_own_end(before);
    adi_vulkan_reap_to(vulkan, passed);
}

static void set_recorded(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    pthread_mutex_lock(&vulkan->mutex);
    vulkan->recorded = item;
    pthread_mutex_unlock(&vulkan->mutex);
}

static int begin_new(struct adi_vulkan *vulkan, int64_t staging, struct adi_vulkan_item **out,
                     struct adi_error *error) {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    adi_vulkan_throttle(vulkan, AHEAD);
    struct adi_vulkan_item *item = take_spare(vulkan, staging);
    if (item == NULL) {
        item = calloc(1, sizeof *item);
        if (item == NULL) return adi_error_set(error, ENOMEM, "no memory for a submission");
        bool before = adi_vulkan_own_begin();
        int code = make(vulkan, staging, item, error);
        if (code != 0) adi_vulkan_block_destroy(vulkan, &item->block);
        adi_vulkan_own_end(before);
        if (code != 0) {
            free(item);
            return code;
        }
    }
    int code = VK_CALL(error, BeginCommandBuffer, item->commands, &info);
    if (code != 0) {
        destroy_spare(vulkan, item);
        return code;
    }
    item->used = 0;
    set_recorded(vulkan, item);
    *out = item;
    return 0;
}

static int flush(struct adi_vulkan *vulkan, struct adi_error *error);

int adi_vulkan_begin(struct adi_vulkan *vulkan, int64_t staging, struct adi_vulkan_item **out,
                     struct adi_error *error) {
    *out = vulkan->recorded;
    if (*out != NULL && staging > (*out)->block.bytes - (*out)->used) {
        ADI_TRY(flush(vulkan, error));
        *out = NULL;
    }
    if (*out == NULL) ADI_TRY(begin_new(vulkan, staging, out, error));
    (*out)->used += staging;
    return 0;
}

static void drop(struct adi_vulkan *vulkan, struct adi_vulkan_item *item) {
    set_recorded(vulkan, NULL);
    destroy_spare(vulkan, item);
}

/* `commands` NULL: nothing but the wait for the pause. */
static int submit(struct adi_vulkan *vulkan, const VkCommandBuffer *commands, uint64_t pause_value,
                  struct adi_error *error) {
    static const VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    uint64_t next = vulkan->last + 1;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = pause_value != 0,
                                            .pWaitSemaphoreValues = &pause_value,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &next};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = pause_value != 0,
                         .pWaitSemaphores = &vulkan->pause_semaphore,
                         .pWaitDstStageMask = &everything,
                         .commandBufferCount = commands != NULL,
                         .pCommandBuffers = commands,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &vulkan->done};
    VK_TRY(error, QueueSubmit, vulkan->queue, 1, &info, VK_NULL_HANDLE);
    pthread_mutex_lock(&vulkan->mutex);
    vulkan->last = next;
    vulkan->recorded = NULL;
    pthread_mutex_unlock(&vulkan->mutex);
    return 0;
}

static int flush(struct adi_vulkan *vulkan, struct adi_error *error) {
    struct adi_vulkan_item *item = vulkan->recorded;
    if (item == NULL) return 0;
    int code = VK_CALL(error, EndCommandBuffer, item->commands);
    if (code == 0) code = submit(vulkan, &item->commands, 0, error);
    if (code != 0)
        drop(vulkan, item);
    else
        adi_vulkan_item_give_back(vulkan, item);
    return code;
}

void adi_vulkan_keep(struct adi_vulkan_opening *opening) {
    opening->last = opening->vulkan->last + 1;
}

int adi_vulkan_submit(struct adi_vulkan_opening *opening, struct adi_error *error) {
    ADI_TRY(flush(opening->vulkan, error));
    opening->last = opening->vulkan->last;
    return 0;
}

int adi_vulkan_await(struct adi_vulkan *vulkan, uint64_t at, struct adi_error *error) {
    if (at > vulkan->last) {
        ADI_TRY(flush(vulkan, error));
        at = vulkan->last;
    }
    VkResult result = await(vulkan, at, vulkan->limit);
    if (result != VK_TIMEOUT) return adi_vulkan_result(result, "vkWaitSemaphores", error);
    return adi_error_set(
        error, ETIMEDOUT,
        "the queue of vulkan:%" PRId64 " did not come to its end within %" PRId64 " ms%s",
        vulkan->id, vulkan->limit, adi_vulkan_is_paused(vulkan) ? ": it is held" : "");
}

void adi_vulkan_publish(VkCommandBuffer commands) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                                VK_ACCESS_MEMORY_WRITE_BIT |
                                                VK_ACCESS_HOST_READ_BIT};
    adi_vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                              &barrier, 0, NULL, 0, NULL);
}

int adi_vulkan_pause(struct adi_vulkan *vulkan, struct adi_error *error) {
    pthread_mutex_lock(&vulkan->mutex);
    bool paused = vulkan->pause_wanted > vulkan->pause_raised;
    uint64_t next = vulkan->pause_raised + 1;
    pthread_mutex_unlock(&vulkan->mutex);
    if (paused) return 0;
    ADI_TRY(flush(vulkan, error));
    ADI_TRY(submit(vulkan, NULL, next, error));
    pthread_mutex_lock(&vulkan->mutex);
    vulkan->pause_wanted = next;
    pthread_mutex_unlock(&vulkan->mutex);
    return 0;
}

int adi_vulkan_resume(struct adi_vulkan *vulkan, struct adi_error *error) {
    int code = 0;
    pthread_mutex_lock(&vulkan->mutex);
    if (vulkan->pause_wanted > vulkan->pause_raised) {
        VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                      .semaphore = vulkan->pause_semaphore,
                                      .value = vulkan->pause_wanted};
        code = VK_CALL(error, SignalSemaphore, vulkan->device, &info);
        if (code == 0) vulkan->pause_raised = vulkan->pause_wanted;
    }
    pthread_mutex_unlock(&vulkan->mutex);
    return code;
}
