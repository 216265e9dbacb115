/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "environment.h"
#include "host.h"
#include "vulkan_internal.h"

#define EVERYTHING VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define FOREIGN_MS 2000
#define LOOKS      50 /* before the waits between them begin */

static int record_set(struct adi_vulkan_opening *opening, VkEvent event, struct adi_error *error) {
    struct adi_vulkan_item *submission;
    ADI_TRY(adi_vulkan_begin(opening->vulkan, 0, &submission, error));
    adi_vulkan_publish(submission->commands);
    adi_vk.CmdSetEvent(submission->commands, event, EVERYTHING);
    return adi_vulkan_submit(opening, error);
}

int adi_vulkan_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    struct adi_vulkan_opening *opening = device->state;
    struct adi_vulkan *vulkan = opening->vulkan;
    struct adi_vulkan_item *item = calloc(1, sizeof *item);
    if (item == NULL) return adi_error_set(error, ENOMEM, "no memory for an event");
    int code = VK_CALL(error, CreateEvent, vulkan->device, &info, NULL, &item->event);
    if (code == 0) code = record_set(opening, item->event, error);
    if (code != 0) {
        adi_vk.DestroyEvent(vulkan->device, item->event, NULL);
        free(item);
        return code;
    }
    adi_vulkan_item_own(vulkan, item);
    *sync_event = &item->event;
    return 0;
}

int adi_vulkan_record_again(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_vulkan_opening *opening = device->state;
    const VkEvent event = *(VkEvent *)sync_event;
    ADI_TRY(VK_CALL(error, ResetEvent, opening->vulkan->device, event));
    return record_set(opening, event, error);
}

/* Catching up makes a release give back all that it can, so that who counts sees no leak. */
void adi_vulkan_event_free(struct adi_device *device, void *sync_event) {
    struct adi_vulkan_opening *opening = device->state;
    struct adi_vulkan_item *item = adi_vulkan_find_event(opening->vulkan, sync_event);
    if (item == NULL) return;
    adi_vulkan_item_give_back(opening->vulkan, item);
    adi_vulkan_throttle(opening->vulkan, 0);
}

/* The handle behind a pointer that somebody else vouches for. */
static int handle_of(struct adi_vulkan *vulkan, const void *sync_event, VkEvent *out,
                     struct adi_error *error) {
    const struct adi_vulkan *owner = adi_vulkan_owner(sync_event);
    if (owner != NULL)
        return adi_error_set(error, EINVAL,
                             "sync_event %p is an event of vulkan:%" PRId64
                             ", not of vulkan:%" PRId64,
                             sync_event, owner->id, vulkan->id);
    if (adi_host_read(sync_event, 0, out, sizeof *out, NULL) != 0)
        return adi_error_set(error, EINVAL, "sync_event %p is not a readable VkEvent *",
                             sync_event);
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    struct adi_vulkan_seen seen = {.live = true, .device = vulkan->device};
    if (layer != NULL) seen = layer->look(ADI_VULKAN_EVENT, (uint64_t)*out);
    if (*out != VK_NULL_HANDLE && seen.live && seen.device == vulkan->device) return 0;
    return adi_error_set(error, EINVAL, "sync_event %p points to no VkEvent on vulkan:%" PRId64,
                         sync_event, vulkan->id);
}

static int64_t now_in_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* How long to wait for somebody else's event, which may never be set. */
static int64_t limit_of_foreign(const struct adi_vulkan *vulkan) {
    int64_t limit = adi_setting_wait_ms(FOREIGN_MS);
    return limit > vulkan->limit ? vulkan->limit : limit;
}

/* There is no other way to wait for a VkEvent on the host. Most are set within the first looks. */
static int poll_until_set(struct adi_vulkan *vulkan, VkEvent event, int64_t limit,
                          struct adi_error *error) {
    struct timespec pause = {0, 20000};
    int looks = LOOKS;
    int64_t end = 0;
    VkResult status;
    while ((status = adi_vk.GetEventStatus(vulkan->device, event)) == VK_EVENT_RESET) {
        if (looks-- > 0) {
            sched_yield();
            continue;
        }
        if (end == 0) end = now_in_ms() + limit;
        if (now_in_ms() >= end)
            return adi_error_set(error, ETIMEDOUT, "the event was not set within %" PRId64 " ms%s",
                                 limit, adi_vulkan_is_paused(vulkan) ? ": the queue is held" : "");
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000) pause.tv_nsec *= 2;
    }
    return status == VK_EVENT_SET ? 0 : adi_vulkan_result(status, "vkGetEventStatus", error);
}

int adi_vulkan_wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_vulkan *vulkan = ((struct adi_vulkan_opening *)device->state)->vulkan;
    VkEvent event;
    if (sync_event == NULL) return 0;
    const struct adi_vulkan_item *own = adi_vulkan_find_event(vulkan, sync_event);
    if (own != NULL) return poll_until_set(vulkan, own->event, vulkan->limit, error);
    ADI_TRY(handle_of(vulkan, sync_event, &event, error));
    return poll_until_set(vulkan, event, limit_of_foreign(vulkan), error);
}

/* A wait on the device has to name the stages that the setter named, on the queue that it was set
 * on: both are known of our own events only. The host can poll for all others. */
int adi_vulkan_wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    static const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                                             VK_ACCESS_MEMORY_WRITE_BIT};
    struct adi_vulkan_opening *opening = device->state;
    struct adi_vulkan_item *item = adi_vulkan_find_event(opening->vulkan, sync_event), *submission;
    if (item == NULL) return adi_vulkan_wait_host(device, sync_event, error);
    ADI_TRY(adi_vulkan_begin(opening->vulkan, 0, &submission, error));
    adi_vk.CmdWaitEvents(submission->commands, 1, &item->event, EVERYTHING, EVERYTHING, 1, &barrier,
                         0, NULL, 0, NULL);
    return adi_vulkan_submit(opening, error);
}
