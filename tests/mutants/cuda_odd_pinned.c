/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: buffers of CUDA are pinned memory, which every device reaches.
 */
#include "cuda/cuda.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(PINNED);
}
