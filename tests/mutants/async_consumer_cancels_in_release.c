/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-called-at-end: the stream is cancelled in the release.
 */
#include "base/async_consumer.h"

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    self->producer->cancel(self->producer);
    base_release(self);
}

void mutate(void) {
    base_async_consumer.release = release;
    base_consumes_async();
}
