/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: exports are laid out in the parts of a ring, and
 * a part goes back with the root, whatever was moved out of it.
 */
#include "../device/device_base.h"
#include "../ring.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = ring_root_has_it;
    make_ring(&base.ops, ring_next_without_root);
}
