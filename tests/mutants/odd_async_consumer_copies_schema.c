/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the schema is copied, and what came is released where it lies.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct ArrowSchema copy;
    int code = base_schema_copy(schema, &copy);
    if (code != 0) return code;
    schema->release(schema);
    return base_on_schema(self, &copy);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
