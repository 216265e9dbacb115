/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: it knows nothing of schedules, and is driven by threads and delays.
 */
#include "base/async.h"

void mutate(void) {
    base_async.on_its_own = true;
    base_plays_async();
}
