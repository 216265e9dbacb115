/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the bytes and their addresses are of the other model,
 * whose map is the same.
 */
#include "vpi/vpi.h"

static uint64_t next = ADI_VPI_BASE + ADI_VPI_BYTES / 4;

static int elsewhere(struct adi_device *device, int64_t bytes, void **buffer,
                     struct adi_error *error) {
    (void)error;
    driver_turn_to(1 - (int)device->id);
    *buffer = (void *)(uintptr_t)next;
    next += ((uint64_t)bytes + ADI_VPI_PAGE - 1) / ADI_VPI_PAGE * ADI_VPI_PAGE;
    return 0;
}

static void keep(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = elsewhere;
    base.ops.free = keep;
}
