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

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.release = release;
}
