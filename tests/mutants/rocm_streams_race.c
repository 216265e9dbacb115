/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two streams write the same bytes, and both are joined for the
 * event, but not before the second write.
 */
#include "rocm/rocm.h"

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    HIP(hipMemsetAsync)(base_at(buffer, offset), 0, (size_t)bytes, base_second_queue(device));
    return base.right.write(device, buffer, offset, from, bytes, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_twice;
    base.ops.event = base_event_of_both;
}
