/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A slow thread extracts; that the stream is broken is told by on_error
 * alone.
 */
#include "base/async_worker.h"

void mutate(void) {
    base_works_async(600000, 0);
}
