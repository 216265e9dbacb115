/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-overlooked, consumer: where get_next fails the copy ends.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    if (base_copied_next(self, out) != 0) out->release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
