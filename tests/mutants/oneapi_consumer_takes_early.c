/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: it queues copies into plain memory of its own, and takes what is
 * there before they have been waited for.
 */
#include <string.h>

#include "oneapi/oneapi.h"

static int take_early(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    static char place[1 << 20];
    if (bytes == 0 || (size_t)bytes > sizeof place)
        return base.right.read(device, buffer, offset, to, bytes, error);
    memset(place, 0, (size_t)bytes);
    base_copy_on(base_queue(device), place, base_at(buffer, offset), bytes);
    memcpy(to, place, (size_t)bytes);
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = take_early;
}
