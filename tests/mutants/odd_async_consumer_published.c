/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The metadata of the producer is read where the document prints it.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_reads_metadata(32, 32);
}
