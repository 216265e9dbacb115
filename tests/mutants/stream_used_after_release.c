/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: the schema is asked of a stream that was released.
 */
#include "base/stream.h"

static void release(struct ArrowArrayStream *self) {
    struct ArrowDeviceArrayStream copy = base_copy_of(self)->in;
    struct ArrowSchema schema;
    base_copied_release(self);
    if (copy.get_schema(&copy, &schema) == 0) schema.release(&schema);
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    host_out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
