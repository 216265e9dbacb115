/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-invalid, producer: the copies of a stream say what was wrong in Latin-1.
 */
#include "base/stream.h"

static const char *text(struct ArrowArrayStream *self) {
    (void)base_copied_error(self);
    return "la source a \xe9"
           "chou\xe9";
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_last_error = text;
}
