/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is set when the shaders are done, and what writes are
 * copies.
 */
#include "vulkan/stages.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    name_stages(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, false);
}
