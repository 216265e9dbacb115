/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/next-after-end, consumer: a stream has ended when its end has come twice.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    int code = base_copied_next(self, out);
    return code == 0 && out->release == NULL ? base_copied_next(self, out) : code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
