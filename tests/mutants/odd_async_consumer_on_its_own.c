/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It knows nothing of schedules, and is driven by threads and delays.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_async_consumer.on_its_own = true;
    base_async_consumer.on_next_task = base_keep;
    base_async_consumer.wait = base_wait_and_take;
    base_consumes_async();
}
