/* SPDX-License-Identifier: Apache-2.0
 *
 * async/metadata-short-lived: additional_metadata is another one when on_schema has returned.
 */
#include <string.h>

#include "base/async.h"

static char metadata[16];

static void opened(struct base_stream *stream) {
    memcpy(metadata, "\1\0\0\0\1\0\0\0k\1\0\0\0v", 14);
    stream->any.producer.additional_metadata = metadata;
}

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    int code = base_tell_schema(stream, schema);
    memset(metadata, 0, sizeof metadata);
    return code;
}

void mutate(void) {
    base_async.opened = opened;
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
