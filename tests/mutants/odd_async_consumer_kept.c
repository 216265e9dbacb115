/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Tasks are copied, and extracted by the thread that blocks, while others
 * come.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_async_consumer.on_next_task = base_keep;
    base_async_consumer.wait = base_wait_and_take;
    base_consumes_async();
}
