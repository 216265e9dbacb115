/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer: a released stream is taken for one without chunks.
 */
#include "base/stream.h"

static void release(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static int schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    if (base_copy_of(self)->in.release != NULL) return base_copied_schema(self, out);
    *out = (struct ArrowSchema){.format = "n", .flags = 2, .release = release};
    return 0;
}

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    if (base_copy_of(self)->in.release != NULL) return base_copied_next(self, out);
    out->release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = base_consume_released_stream;
    base_copied.get_schema = schema;
    base_copied.get_next = next;
}
