/* SPDX-License-Identifier: Apache-2.0
 *
 * async/layout-misstated: the structure is the printed one, and the adapter gives the offset of the
 * shipped one.
 */
#include "base/async.h"

static void release(struct ArrowAsyncProducer *self) {
    (void)self;
}

static void opened(struct base_stream *stream) {
    stream->any.published.release = release;
    stream->any.published.private_data = stream;
}

void mutate(void) {
    base_async.published = true;
    base_async.opened = opened;
    base_plays_async();
    base.adapter.async_layout = (uint32_t)offsetof(struct ArrowAsyncProducer, additional_metadata);
}
