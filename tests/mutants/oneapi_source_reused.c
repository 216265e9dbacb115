/* SPDX-License-Identifier: Apache-2.0
 *
 * array/null-count-differs, producer: every copy reads one place of plain memory of the host, which
 * the next one fills while the copy before is still queued.
 */
#include <string.h>

#include "oneapi/oneapi.h"

static int staged(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    static char place[4096];
    if ((size_t)bytes > sizeof place)
        return base.right.write(device, buffer, offset, from, bytes, error);
    memcpy(place, from, (size_t)bytes);
    return base_copy_on(base_queue(device), base_at(buffer, offset), place, bytes);
}

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = staged;
    base.ops.free = give_back;
}
