/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: of two VkEvents the next is reset and set anew for each export.
 * While the array that it was given with is pending, the command that was to set it then sets it
 * for the new one.
 */
#include "vulkan/event_pool.h"

#define EVENTS 2

static void *events[ADI_DEVICE_IDS][EVENTS];
static size_t turn[ADI_DEVICE_IDS];

static int next_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void **kept = &events[device->id][turn[device->id]++ % EVENTS];
    ADI_TRY(set_anew(device, kept, error));
    *sync_event = *kept;
    return 0;
}

/* The events go with the process. */
static void let_go(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.batch_submissions = NULL;
    base.ops.event = next_event;
    base.ops.event_free = let_go;
}
