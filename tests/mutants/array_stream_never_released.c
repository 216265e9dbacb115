/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: no ArrowArrayStream is released, whether it has ended or not.
 */
#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    base_stream_of(self)->from.release = NULL;
    base_produced_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.release = release;
}
