/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are addresses within the contents of one MTLBuffer, and the next batch is
 * queued into another part of it behind the event.
 */
#include "metal/metal.h"
/* needs the base */
#include "pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
    make_pool(&base.ops);
    (void)be_early;
}
