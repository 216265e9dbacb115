/* SPDX-License-Identifier: Apache-2.0
 *
 * async/layout-misstated: metadata is read where headers in use have it, and the adapter gives the
 * offset of the printed structure.
 */
#include <string.h>

#include "base/async_consumer.h"

#define READS 24 /* the offset of additional_metadata */
#define SAYS  32

static volatile int32_t pairs;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    const char *metadata;
    memcpy(&metadata, (const char *)self->producer + READS, sizeof metadata);
    if (metadata != NULL) pairs = *(const int32_t *)(const void *)metadata;
    return base_on_schema(self, schema);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
    base.adapter.async_layout = SAYS;
}
