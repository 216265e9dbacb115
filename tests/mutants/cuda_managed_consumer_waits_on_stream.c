/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: a stream waits for the event, and the CPU, which does not, reads
 * the managed memory.
 */
#include "cuda/by_cpu.h"

void mutate(void) {
    base_is_for(&adi_device_cuda_managed);
    base.roles = ADI_CONSUMES;
    base.ops.read = read_by_cpu;
}
