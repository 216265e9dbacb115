/* SPDX-License-Identifier: Apache-2.0
 *
 * async/layout-misstated: metadata is read where headers in use have it, and the adapter gives the
 * offset of the printed structure.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_reads_metadata(24, 32);
}
