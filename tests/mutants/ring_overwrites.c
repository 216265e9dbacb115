/* SPDX-License-Identifier: Apache-2.0
 *
 * array/rewritten-after-export, producer. Planted: exports are laid out in the parts of a ring in
 * turn, whether the array that a part was given out with is released or not.
 */
#include "host_ring.h"

static size_t next_part(void) {
    return (at_hand + 1) % PARTS;
}
