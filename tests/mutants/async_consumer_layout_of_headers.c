/* SPDX-License-Identifier: Apache-2.0
 *
 * async/layout-misstated: metadata is read where the printed structure has it, and the adapter
 * gives the offset of headers in use.
 */
#include "base/async_consumer.h"

void mutate(void) {
    base_reads_metadata(32, 24);
}
