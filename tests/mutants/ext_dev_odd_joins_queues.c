/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two queues write in turns, and the one that the event is recorded on waits for the other.
 */
#include "ext_dev/ext_dev.h"

static unsigned writes;

static int write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    if (++writes % 2 == 0)
        return adi_device_ext_dev.write(device, buffer, offset, from, bytes, error);
    return SIM(copy)(base_second_queue(device), (char *)buffer + offset, from, (size_t)bytes, 0);
}

static int join(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *second;
    ADI_TRY(device->ops->record_on(device, base_second_queue(device), &second, error));
    int code = device->ops->wait(device, second, error);
    device->ops->event_free(device, second);
    return code == 0 ? adi_device_ext_dev.event(device, sync_event, error) : code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turns;
    base.ops.event = join;
}
