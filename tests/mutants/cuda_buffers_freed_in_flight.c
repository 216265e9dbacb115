/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback gives to cuMemFree, which does not wait for
 * such memory, what comes from cuMemAllocAsync and is still written.
 */
#include "cuda/cuda.h"

static void at_once(struct adi_device *device, void *buffer) {
    (void)device;
    CU(cuMemFree_v2)(base_address(buffer));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = at_once;
}
