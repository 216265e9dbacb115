/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: VkEvents come from a pool, and are reset and set anew when the array that they were given
 * with has been released and what set them then has run.
 */
#include <errno.h>

#include "vulkan/event_pool.h"

#define EVENTS 16

static struct {
    void *event;
    bool has_array;
} pool[ADI_DEVICE_IDS][EVENTS];

static bool is_free(struct adi_device *device, size_t i) {
    const VkEvent *event = pool[device->id][i].event;
    if (pool[device->id][i].has_array) return false;
    return event == NULL || adi_vk.GetEventStatus(base_device(device), *event) == VK_EVENT_SET;
}

static int take_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    size_t i = 0;
    while (i < EVENTS && !is_free(device, i)) i++;
    if (i == EVENTS) return adi_error_set(error, ENOMEM, "every event is in use");
    ADI_TRY(set_anew(device, &pool[device->id][i].event, error));
    pool[device->id][i].has_array = true;
    *sync_event = pool[device->id][i].event;
    return 0;
}

static void give_back(struct adi_device *device, void *sync_event) {
    for (size_t i = 0; i < EVENTS; i++)
        if (pool[device->id][i].event == sync_event) pool[device->id][i].has_array = false;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.batch_submissions = NULL;
    base.ops.event = take_event;
    base.ops.event_free = give_back;
}
