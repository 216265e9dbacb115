/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The metadata of the producer is read.
 */
#include <string.h>

#include "base/async_consumer.h"

#define READS 24 /* the offset of additional_metadata */
#define SAYS  24

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
