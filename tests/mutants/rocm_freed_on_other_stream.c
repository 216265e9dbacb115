/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback frees in the order of another stream than
 * the one that writes.
 */
#include "rocm/rocm.h"

static void elsewhere(struct adi_device *device, void *buffer) {
    HIP(hipFreeAsync)(buffer, base_second_queue(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = elsewhere;
}
