/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-overlooked: an error is taken for the end.
 */
#include "base/async_consumer.h"

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    (void)self, (void)code, (void)message, (void)metadata;
}

void mutate(void) {
    base_async_consumer.on_error = on_error;
    base_consumes_async();
}
