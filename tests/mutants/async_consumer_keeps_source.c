/* SPDX-License-Identifier: Apache-2.0
 *
 * life/move-source-not-released: the schema is copied by its bytes, and its source not marked.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct ArrowSchema copy = *schema;
    return base_on_schema(self, &copy);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
