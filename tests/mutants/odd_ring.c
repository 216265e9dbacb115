/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Exports are laid out in the parts of a ring; only a part that nobody has
 * comes again, and while there is none, nothing is exported.
 */
#include "host_ring.h"

static size_t next_part(void) {
    size_t next = at_hand, seen = 0;
    for (; seen < PARTS && atomic_load(&parts[next].live) > 0; seen++) next = (next + 1) % PARTS;
    return seen < PARTS ? next : PARTS;
}
