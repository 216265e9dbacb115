/* SPDX-License-Identifier: Apache-2.0
 *
 * async/layout-misstated: the structure is the shipped one, and the adapter gives the offset of the
 * printed one.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->any.producer.private_data = stream;
}

void mutate(void) {
    base_async.opened = opened;
    base_plays_async();
    base.adapter.async_layout =
        (uint32_t)offsetof(struct base_stream, any.published.additional_metadata);
}
