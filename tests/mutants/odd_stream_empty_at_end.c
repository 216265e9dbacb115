/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a chunk without rows comes before the end, whatever the stream is made of.
 */
#include <string.h>

#include "base/stream.h"

static void release(struct ArrowArray *self) {
    self->release = NULL;
}

/* Only where a chunk without rows needs nothing that is not here: an int32. */
static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    static const void *no_buffers[2];
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0) {
        out->array.release = NULL;
        return 0;
    }
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release != NULL) return code;
    stream->chunks = -1;
    *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    out->array = (struct ArrowArray){
        .n_buffers = 2, .buffers = (const void **)no_buffers, .release = release};
    return 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    out->get_next = next;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
