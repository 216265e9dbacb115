/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-there: the producer is looked at in on_error, before there is one.
 */
#include "base/async_consumer.h"

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    (void)*(volatile ArrowDeviceType *)&self->producer->device_type;
    base_on_error(self, code, message, metadata);
}

void mutate(void) {
    base_async_consumer.on_error = on_error;
    base_consumes_async();
}
