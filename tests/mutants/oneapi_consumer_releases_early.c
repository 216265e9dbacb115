/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "oneapi/oneapi.h"

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)to, (void)error;
    return base_copy_on(base_queue(device), base_staging(device), base_at(buffer, offset), bytes);
}

static void finish(struct adi_device *device) {
    SYCL(DPCTLQueue_Wait)(base_queue(device));
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_later;
    base.released = finish;
}
