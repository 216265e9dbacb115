/* SPDX-License-Identifier: Apache-2.0
 *
 * async/callback-missing, consumer: the handler has no on_error.
 */
#include <stddef.h>

#include "base/async_consumer.h"

void mutate(void) {
    base_async_consumer.on_error = NULL;
    base_consumes_async();
}
