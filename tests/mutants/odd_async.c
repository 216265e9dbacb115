/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The asynchronous producer as it is.
 */
#include "base/async.h"

void mutate(void) {
    base_plays_async();
}
