/* SPDX-License-Identifier: Apache-2.0
 *
 * async/text-kept: the message of an error is read in the release.
 */
#include "base/async_consumer.h"

static const char *kept;

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    kept = message;
    base_on_error(self, code, message, metadata);
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    if (kept != NULL) (void)*(const volatile char *)kept;
    base_release(self);
}

void mutate(void) {
    base_async_consumer.on_error = on_error;
    base_async_consumer.release = release;
    base_consumes_async();
}
