/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole pages of the DSP.
 */
#include "hexagon/hexagon.h"

static int in_pages(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    static char room[ADI_HEXAGON_PAGE];
    if (bytes > 0 && bytes < (int64_t)sizeof room)
        base.right.read(device, buffer, offset, room, sizeof room, error);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_pages;
}
