/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: a stream that is released before its end keeps what it had.
 */
#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    void *volatile lost = base_copy_bytes(self, sizeof *self);
    (void)lost;
    base_produced_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.release = release;
}
