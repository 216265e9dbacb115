/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-asked-without-error, consumer: after each chunk of an ArrowArrayStream.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    (void)base_produced_error(self);
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
