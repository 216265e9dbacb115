/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event stands for the shaders, to which barriers lead from the copies, and back.
 */
#include "vulkan/stages.h"

void mutate(void) {
    name_stages(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, true);
}
