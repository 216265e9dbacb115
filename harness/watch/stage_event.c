/* SPDX-License-Identifier: Apache-2.0 */
#include "stage_event.h"

#include <string.h>

#include "device_types.h"

static void free_once(struct adi_device *device, void *sync_event) {
    struct adi_stage *stage =
        (struct adi_stage *)(void *)((char *)device - offsetof(struct adi_stage, producing));
    if (!atomic_exchange(&stage->event_ended, true)) stage->free_event(device, sync_event);
}

void adi_stage_event_begin(struct adi_stage *stage, const struct adi_device *device) {
    const size_t known = device->ops->size, room = sizeof stage->ops;
    memcpy(&stage->ops, device->ops, known < room ? known : room);
    stage->free_event = stage->ops.event_free;
    stage->ops.event_free = free_once;
    stage->producing = (struct adi_device){&stage->ops, device->id, device->state};
}

void adi_stage_event_find(struct adi_stage *stage) {
    const ArrowDeviceType type = stage->real.device_type;
    if (adi_device_type_of(type)->event == ADI_EVENT_ADDRESS)
        stage->event = adi_device_type_event(type, stage->real.sync_event);
}

/* DV-028: the event is the producer's, as is the memory that sync_event points to. */
void adi_stage_event_end(struct adi_stage *stage) {
    if (stage->place == NULL) return;
    if (*stage->place != stage->event)
        adi_report(stage->monitor.sink, "sync/event-not-owned", ADI_CONSUMER, "another handle",
                   "the producer's handle", "what sync_event points to was changed");
    adi_guard_retire_soon(stage->place);
}

void adi_stage_event_free(struct adi_stage *stage) {
    void *event = stage->real.sync_event;
    if (event == NULL) return;
    if (pthread_equal(pthread_self(), stage->thread))
        stage->device.ops->wait(&stage->device, event, NULL);
    stage->real.sync_event = NULL;
    stage->producing.ops->event_free(&stage->producing, event);
}
