/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "rocm/rocm.h"

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)to, (void)error;
    return (int)HIP(hipMemcpyAsync)(base_staging(), base_at(buffer, offset), (size_t)bytes,
                                    hipMemcpyDefault, base_stream(device));
}

static void finish(struct adi_device *device) {
    HIP(hipStreamSynchronize)(base_stream(device));
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_later;
    base.released = finish;
}
