/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a stream waits for the event, and the host for that stream by hipFree of something else,
 * which is a wait for the device.
 */
#include "rocm/rocm.h"

static int by_free(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *scratch;
    HIP(hipMalloc)(&scratch, 64);
    ADI_TRY(base.right.wait_on(device, base_second_queue(device), sync_event, error));
    HIP(hipFree)(scratch);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = by_free;
}
