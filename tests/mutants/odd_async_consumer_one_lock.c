/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. More is requested by another thread, under a lock that the release waits
 * for, some while after that thread has seen that there was no release yet.
 */
#include "base/async_worker.h"

void mutate(void) {
    base_works_async(0, 3000);
}
