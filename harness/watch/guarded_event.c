/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_event.h"

#include <string.h>

#include "device_types.h"

static void free_once(struct adi_device *device, void *sync_event) {
    struct adi_guarded *input =
        (struct adi_guarded *)(void *)((char *)device - offsetof(struct adi_guarded, producing));
    if (!atomic_exchange(&input->event_ended, true)) input->free_event(device, sync_event);
}

void adi_guarded_event_begin(struct adi_guarded *input, const struct adi_device *device) {
    const size_t known = device->ops->size, room = sizeof input->ops;
    memcpy(&input->ops, device->ops, known < room ? known : room);
    input->free_event = input->ops.event_free;
    input->ops.event_free = free_once;
    input->producing = (struct adi_device){&input->ops, device->id, device->state};
}

void adi_guarded_event_find(struct adi_guarded *input) {
    const ArrowDeviceType type = input->real.device_type;
    if (adi_device_type_of(type)->event == ADI_EVENT_ADDRESS)
        input->event = adi_device_type_event(type, input->real.sync_event);
}

/* DV-028: the event is the producer's, as is the memory that sync_event points to. */
void adi_guarded_event_end(struct adi_guarded *input) {
    if (input->handle_at == NULL) return;
    if (*input->handle_at != input->event)
        adi_report(input->monitor.sink, "sync/event-not-owned", ADI_CONSUMER, "another handle",
                   "the producer's handle", "what sync_event points to was changed");
    adi_guard_retire_soon(input->handle_at);
}

void adi_guarded_event_free(struct adi_guarded *input) {
    void *event = input->real.sync_event;
    if (event == NULL) return;
    if (pthread_equal(pthread_self(), input->thread))
        input->device.ops->wait(&input->device, event, NULL);
    input->real.sync_event = NULL;
    input->producing.ops->event_free(&input->producing, event);
}
