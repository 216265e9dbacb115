/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: tensors, as producer and as consumer.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK | ADI_CONSUMES_DLPACK;
}
