/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the text of an error has 1 MiB, and is UTF-8.
 */
#include <string.h>

#include "base/stream.h"

static const char *text(struct ArrowDeviceArrayStream *self) {
    static char longest[(1 << 20) + 1];
    (void)self;
    memset(longest, 'x', sizeof longest - 1);
    return memcpy(longest, "\xc3\xa9", 2);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = text;
}
