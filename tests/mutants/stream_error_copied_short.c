/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/malformed-input-crashes, consumer: the text of an error is copied to where there is room
 * for 64 KiB.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

static const char *error(struct ArrowArrayStream *self) {
    static char *volatile room;
    struct base_stream *stream = base_copy_of(self);
    const char *text = base_copied_error(self);
    if (text == NULL) return NULL;
    free(stream->more);
    stream->more = calloc(1, 1 << 16);
    room = stream->more;
    if (room == NULL) return NULL;
    if (strlen(text) >= 1 << 16) abort(); /* as a C library does that checks bounds */
    memcpy(room, text, strlen(text));
    return room;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_last_error = error;
}
