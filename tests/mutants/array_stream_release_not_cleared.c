/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-not-cleared, producer: the copies of a stream are released, and not marked.
 */
#include "base/stream.h"

static void release(struct ArrowArrayStream *self) {
    void (*callback)(struct ArrowArrayStream *) = self->release;
    base_copied_release(self);
    self->release = callback;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.release = release;
}
