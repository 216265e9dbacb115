/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: all exports share one place for the handle of their event, so that
 * of two that live the first to go takes the other's.
 */
#include "../device/device_base.h"
#include "../one_place.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    use_one_place(&base.ops);
}
