/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: whatever device is asked for, the buffers are of the
 * second.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.id = 1;
}
