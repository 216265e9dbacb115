/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event is set when the copies are done, and the copies wait for it, nothing else.
 */
#include "vulkan/stages.h"

void mutate(void) {
    name_stages(VK_PIPELINE_STAGE_TRANSFER_BIT, false);
}
