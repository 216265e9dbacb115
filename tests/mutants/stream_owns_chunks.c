/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/chunk-depends-on-stream, producer: the values of the first chunk, or of its first child,
 * lie in memory of the stream.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

static void *shared;

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || stream->more != NULL) return code;
    struct ArrowArray *array = out->array.n_children > 0 ? out->array.children[0] : &out->array;
    void *values = (void *)(uintptr_t)array->buffers[1];
    size_t bytes = (size_t)(array->offset + array->length) * sizeof(int32_t);
    stream->more = base_copy_bytes(values, bytes);
    free(values);
    array->buffers[1] = stream->more;
    shared = stream->more;
    return stream->more == NULL ? ENOMEM : 0;
}

/* What is the stream's is not the chunk's to free. */
static void free_own(void *buffer) {
    if (buffer != shared) free(buffer);
}

/* It is written over, as whoever gets the memory next would do. */
static void release(struct ArrowDeviceArrayStream *self) {
    if (shared != NULL) memset(shared, 0, 64);
    base_produced_release(self);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    out->get_next = next;
    out->release = release;
    shared = NULL;
    base.buffer_free = free_own;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
