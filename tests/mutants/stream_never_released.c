/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: a stream that has ended is not released.
 */
#include "base/stream.h"

static void release(struct ArrowArrayStream *self) {
    base_copy_of(self)->in.release = NULL;
    base_copied_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.release = release;
}
