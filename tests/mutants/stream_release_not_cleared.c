/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-not-cleared, producer: a stream that is released is not marked so.
 * apache/arrow-nanoarrow#203, apache/arrow#35760.
 */
#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    base_produced_release(self);
    self->release = release;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.release = release;
}
