/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the buffers are addresses within the contents of one MTLBuffer,
 * and the last of them is written behind the event, as the next batch is.
 */
#include "metal/metal.h"
/* needs the base */
#include "pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
    make_pool(&base.ops);
    be_early(&base.ops);
}
