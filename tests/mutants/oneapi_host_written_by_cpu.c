/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the CPU fills memory of the host that a queued fill still
 * writes.
 */
#include <string.h>

#include "oneapi/oneapi.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    (void)error;
    SYCL(DPCTLEvent_Delete)
    (SYCL(DPCTLQueue_Memset)(base_queue(device), base_at(buffer, offset), 0, (size_t)bytes));
    memcpy(base_at(buffer, offset), from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(PINNED);
    base.ops.write = fill;
}
