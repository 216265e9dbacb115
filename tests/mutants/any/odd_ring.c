/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: exports are laid out in the parts of a ring; only a part that nobody has comes again, and
 * while there is none, nothing is exported.
 */
#include "../device/device_base.h"
#include "../ring.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    make_ring(&base.ops, ring_next_free);
}
