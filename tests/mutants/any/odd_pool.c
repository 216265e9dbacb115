/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are parts of one block, and the next batch is queued into another part of it
 * behind the event.
 */
#include "../device/device_base.h"
#include "../pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    make_pool(&base.ops);
    (void)be_early;
}
