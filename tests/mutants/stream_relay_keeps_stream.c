/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: the relayed stream is released, and what it stands on is not.
 */
#include <stdlib.h>

#include "base/stream.h"

static void release(struct ArrowDeviceArrayStream *self) {
    free(base_stream_of(self));
    self->release = NULL;
}

void mutate(void) {
    base_relays_streams();
    base_relayed.release = release;
}
