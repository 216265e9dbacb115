/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two queues write the same bytes, and both are joined for the
 * event, but not before the second write.
 */
#include "ext_dev/ext_dev.h"

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    adi_sim_queue second = base_second_queue(device);
    ADI_TRY(SIM(fill)(second, (char *)buffer + offset, 0, 1, (size_t)bytes));
    return adi_device_ext_dev.write(device, buffer, offset, from, bytes, error);
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
    base.ops.write = write_twice;
    base.ops.event = join;
}
