/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the buffers are parts of one block, and the last of them is
 * written behind the event, as the next batch is.
 */
#include "../device/device_base.h"
#include "../pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    make_pool(&base.ops);
    be_early(&base.ops);
}
