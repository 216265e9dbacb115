/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two queues write the buffers in turns, and the event is recorded
 * on one of them.
 */
#include "ext_dev/ext_dev.h"

static unsigned writes;

static int write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    if (++writes % 2 == 0)
        return adi_device_ext_dev.write(device, buffer, offset, from, bytes, error);
    return SIM(copy)(base_second_queue(device), (char *)buffer + offset, from, (size_t)bytes, 0);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turns;
}
