/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-code-unknown, producer: errors are negative, as in the kernel.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    return -base_produced_next(self, out);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
