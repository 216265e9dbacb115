/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback frees at once, whether the copies into the
 * buffer have been waited for or not.
 */
#include "oneapi/oneapi.h"

static void at_once(struct adi_device *device, void *buffer) {
    SYCL(DPCTLfree_with_queue)(buffer, base_queue(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.free = at_once;
}
