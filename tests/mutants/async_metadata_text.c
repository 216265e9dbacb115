/* SPDX-License-Identifier: Apache-2.0
 *
 * async/metadata-malformed: additional_metadata is a text.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->any.producer.additional_metadata = "\377\377\377\377 rows: 12";
}

void mutate(void) {
    base_async.opened = opened;
    base_plays_async();
}
