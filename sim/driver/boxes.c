/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes of memory: where their rows are, and whether they make sense.
 */
#include <stdint.h>

#include "driver_graphs.h"

void *driver_row_of(const driver_copy_side *side, size_t y, size_t z) {
    uintptr_t start = side->type == DRIVER_MEMORYTYPE_HOST ? (uintptr_t)side->host : side->device;
    return driver_at(start + side->x + ((side->z + z) * side->height + side->y + y) * side->pitch);
}

static bool is_side(const driver_copy_side *side) {
    return side->type == DRIVER_MEMORYTYPE_HOST || side->type == DRIVER_MEMORYTYPE_DEVICE ||
           side->type == DRIVER_MEMORYTYPE_UNIFIED;
}

/* More rows than one lie so far apart as they are wide, at least; no number is beyond memory. */
static bool is_spaced(const driver_copy_side *side, const driver_box_kind *box) {
    const size_t most = PTRDIFF_MAX / 2;
    if (side->x > most || box->width > most) return false;
    if (side->pitch > 0 && (side->y > most / side->pitch || box->height > most / side->pitch))
        return false;
    bool rows = box->height <= 1 || side->pitch >= side->x + box->width;
    return rows && (box->depth <= 1 || side->height >= side->y + box->height);
}

bool driver_box_is_sound(const driver_box_kind *box) {
    return is_side(&box->from) && is_side(&box->to) && is_spaced(&box->from, box) &&
           is_spaced(&box->to, box);
}
