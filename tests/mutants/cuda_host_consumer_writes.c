/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: the CPU changes pinned memory of its producer that it has waited
 * for and read.
 */
#include "cuda/by_cpu.h"

void mutate(void) {
    base_is_for(&adi_device_cuda_host);
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_invert;
}
