/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released: the schema is copied, and what came is let be.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct ArrowSchema copy;
    int code = base_schema_copy(schema, &copy);
    return code == 0 ? base_on_schema(self, &copy) : code;
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
