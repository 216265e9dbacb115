/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two queues write the same bytes, and both are joined for the
 * event, but not before the second write.
 */
#include "metal/metal.h"

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    void *staged = base_staged(device, from, bytes);
    if (staged == NULL) return adi_error_set(error, 12, "no staging");
    base_copy(base_second_queue(device), (struct base_part){buffer, (uint64_t)offset},
              (struct base_part){staged, 0}, bytes);
    adi_mtl_release(staged);
    return base.right.write(device, buffer, offset, from, bytes, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_twice;
    base.ops.event = base_event_of_both;
}
