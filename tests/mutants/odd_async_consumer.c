/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The asynchronous consumer as it is.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_consumes_async();
}
