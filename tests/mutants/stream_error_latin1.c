/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-invalid, producer: the text of an error is in Latin-1.
 */
#include "base/stream.h"

static const char *text(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return "la source a \xe9"
           "chou\xe9";
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = text;
}
