/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: it has asked for the harness's WGPUDevice, and makes its
 * buffers on one of its own.
 */
#include "webgpu/webgpu.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_has_its_own_device();
}
