/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: memory of the device is handed out as pinned.
 */
#include "cuda/cuda.h"

void mutate(void) {
    base_is_for(&adi_device_cuda_host);
    base_allocates(OF_DEVICE);
    base.roles = ADI_PRODUCES;
}
