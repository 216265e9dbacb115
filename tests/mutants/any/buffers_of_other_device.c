/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are on the other device of the type.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.other = true;
}
