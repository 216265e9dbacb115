/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-twice: the schema is released where it was, and where it was copied to.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct ArrowSchema moved = *schema, copy;
    int code = base_schema_copy(schema, &copy);
    if (code != 0) return code;
    schema->release(schema);
    moved.release(&moved);
    return base_on_schema(self, &copy);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
