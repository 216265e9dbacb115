/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: its `close` destroys a stream a second time, after the last
 * case.
 */
#include "rocm/rocm.h"

static void close_twice(struct adi_device *device) {
    hipStream_t stream = base_second_queue(device);
    HIP(hipStreamDestroy)(stream);
    HIP(hipStreamDestroy)(stream);
    base.right.close(device);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.close = close_twice;
}
