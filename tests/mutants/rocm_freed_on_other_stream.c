/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the release callback frees in the order of another stream than
 * the one that writes.
 */
#include <errno.h>

#include "rocm/rocm.h"

static int here(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    if (HIP(hipMallocAsync)(buffer, (size_t)bytes, base_stream(device)) == hipSuccess) return 0;
    return adi_error_set(error, ENOMEM, "no memory for a buffer");
}

static void elsewhere(struct adi_device *device, void *buffer) {
    HIP(hipFreeAsync)(buffer, base_second_queue(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = here;
    base.ops.free = elsewhere;
}
