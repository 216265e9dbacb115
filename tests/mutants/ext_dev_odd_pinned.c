/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are pinned memory, which every device reaches.
 */
#include "ext_dev/ext_dev.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.memory = ADI_SIM_PINNED;
}
