/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/overwritten-while-pending, producer. Planted: exports are laid out in the parts of a ring in
 * turn, whether the array that a part was given out with is released or not. Where there are no
 * events, it is array/rewritten-after-export.
 */
#include "../device/device_base.h"
#include "../ring.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    make_ring(&base.ops, ring_next_in_turn);
}
