/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: what is waited for is another queue than the one that is written
 * by.
 */
#include "hexagon/hexagon.h"

static int elsewhere(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device), *other;
    (void)error;
    *sync_event = NULL;
    int code = driver->open(driver, driver->id, &other);
    if (code != 0) return code;
    code = other->wait(other);
    other->close(other);
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = elsewhere;
}
