/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-called-at-end: the stream is cancelled in on_error.
 */
#include "base/async_consumer.h"

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    self->producer->cancel(self->producer);
    base_on_error(self, code, message, metadata);
}

void mutate(void) {
    base_async_consumer.on_error = on_error;
    base_consumes_async();
}
