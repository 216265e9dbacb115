/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: a stream waits for the event, and the CPU, which does not, reads
 * the managed memory.
 */
#include <string.h>

#include "cuda/cuda.h"

static int by_cpu(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base_is_for(&adi_device_cuda_managed);
    base.roles = ADI_CONSUMES;
    base.ops.read = by_cpu;
}
