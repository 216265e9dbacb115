/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: an error of a stream has no text.
 */
#include "base/stream.h"

static const char *text(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return NULL;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = text;
}
