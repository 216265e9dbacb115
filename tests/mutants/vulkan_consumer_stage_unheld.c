/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the shaders wait for the event, and what reads are copies.
 */
#include "vulkan/stages.h"

void mutate(void) {
    base.roles = ADI_CONSUMES;
    name_stages(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, false);
}
