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

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_twice;
    base.ops.event = base_event_of_both;
}
