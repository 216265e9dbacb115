/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the handles of events lie in three places in turn, so that of four
 * arrays that live the first to go takes the event of the last.
 */
#define PLACES 3
#include "../device/device_base.h"
#include "../one_place.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    use_one_place(&base.ops);
}
