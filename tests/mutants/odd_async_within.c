/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Whatever can be done within the hand-over is done there.
 */
#include "base/async.h"

void mutate(void) {
    base_async.within = true;
    base_plays_async();
}
