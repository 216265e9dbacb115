/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. One thread serves all streams, and asks for the schedule of each.
 */
#include "base/async.h"

void mutate(void) {
    base_async.pooled = true;
    base_plays_async();
}
