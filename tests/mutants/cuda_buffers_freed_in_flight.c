/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback gives to cuMemFree, which does not wait for
 * such memory, what comes from cuMemAllocAsync and is still written.
 */
#include <errno.h>

#include "cuda/cuda.h"

static int in_order(struct adi_device *device, int64_t bytes, void **buffer,
                    struct adi_error *error) {
    CUdeviceptr made = 0;
    if (CU(cuMemAllocAsync)(&made, (size_t)bytes, base_stream(device)) != CUDA_SUCCESS)
        return adi_error_set(error, ENOMEM, "no memory for a buffer");
    *buffer = (void *)(uintptr_t)made;
    return 0;
}

static void at_once(struct adi_device *device, void *buffer) {
    (void)device;
    CU(cuMemFree_v2)(base_address(buffer));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = in_order;
    base.ops.free = at_once;
}
