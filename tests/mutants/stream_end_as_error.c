/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-not-marked, producer: at the end get_next answers ENODATA.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    return code == 0 && out->array.release == NULL ? ENODATA : code;
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return "it failed";
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = error;
    base_produced.get_next = next;
}
