/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two queues write the same bytes; both are waited for in the end,
 * and the first not before the second writes.
 */
#include <stddef.h>

#include "hexagon/hexagon.h"

static const struct adi_hexagon_driver *second;

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    uint32_t to = base_address(buffer) + (uint32_t)offset;
    if (second == NULL) ADI_TRY(driver->open(driver, driver->id, &second));
    ADI_TRY(second->copy_in(second, to, from, bytes));
    return base_write_unwaited(device, buffer, offset, from, bytes, error);
}

static int both(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (second != NULL) {
        ADI_TRY(second->wait(second));
        second->close(second);
        second = NULL;
    }
    return base.right.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_twice;
    base.ops.event = both;
}
