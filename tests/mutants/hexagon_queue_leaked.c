/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: it makes a queue for each array, and keeps them all.
 */
#include "hexagon/hexagon.h"

static int wait_on_new(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device), *queue;
    ADI_TRY(driver->open(driver, driver->id, &queue));
    return base.right.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = wait_on_new;
}
