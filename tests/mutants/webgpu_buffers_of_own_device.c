/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: it has asked for the harness's WGPUDevice, and makes its
 * buffers on one of its own. (ADI_TEST_NEVER_ASKS=1: it has not, and nobody can blame it.)
 */
#include <stdlib.h>

#include "webgpu/webgpu.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_has_its_own_device(getenv("ADI_TEST_NEVER_ASKS") == NULL);
}
