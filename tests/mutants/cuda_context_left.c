/* SPDX-License-Identifier: Apache-2.0
 *
 * device/context-not-restored, producer: each call pushes its context and leaves it there.
 */
#include "cuda/cuda.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_stays = true;
}
