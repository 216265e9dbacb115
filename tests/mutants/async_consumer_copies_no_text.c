/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash: an error without a text is not expected.
 */
#include <errno.h>
#include <string.h>

#include "base/async_consumer.h"

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    if (strlen(message) == 0) code = EIO;
    base_on_error(self, code, message, metadata);
}

void mutate(void) {
    base_async_consumer.on_error = on_error;
    base_consumes_async();
}
