/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are pinned memory, which every device reaches.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(PINNED);
}
