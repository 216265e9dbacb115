/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the CPU reads pinned memory without a look at the event.
 */
#include "cuda/by_cpu.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base_is_for(&adi_device_cuda_host);
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = read_by_cpu;
}
