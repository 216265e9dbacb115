/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams by way of nanoarrow's two: ArrowBasicArrayStreamInit makes one of arrays that are there
 * already, ArrowDeviceBasicArrayStreamInit makes a device stream of that one, and of the host's. So
 * what comes in is read to its end before anything goes out. The device stream has no place for an
 * event: what goes into it has been waited for.
 */
#include "peer.h"

#include <stdlib.h>

struct chunks {
    struct ArrowSchema schema;
    struct ArrowArray *arrays;
    int64_t n;
};

static void release_chunks(struct chunks *chunks) {
    for (int64_t i = 0; i < chunks->n; i++)
        if (chunks->arrays[i].release != NULL) ArrowArrayRelease(&chunks->arrays[i]);
    if (chunks->schema.release != NULL) ArrowSchemaRelease(&chunks->schema);
    free(chunks->arrays);
}

/* Moves from `array` where it answers 0. */
static int append(struct chunks *chunks, struct ArrowArray *array) {
    size_t bytes = (size_t)(chunks->n + 1) * sizeof *chunks->arrays;
    struct ArrowArray *arrays = realloc(chunks->arrays, bytes);
    if (arrays == NULL) return ENOMEM;
    chunks->arrays = arrays;
    ArrowArrayMove(array, &arrays[chunks->n++]);
    return NANOARROW_OK;
}

/* What becomes of a chunk; answers with `out` filled, and with `chunk` moved from or as it was. */
typedef int (*carry_fn)(const struct ArrowSchema *, struct ArrowDeviceArray *chunk,
                        struct ArrowDevice *to, struct ArrowArray *out);

static int carry_by_copy(const struct ArrowSchema *schema, struct ArrowDeviceArray *chunk,
                         struct ArrowDevice *to, struct ArrowArray *out) {
    struct ArrowDeviceArray copied;
    struct ArrowDevice *from = peer_device_of(chunk);
    CUstream *from_stream, *stream;
    if (from == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(peer_stream_of(from, &from_stream));
    NANOARROW_RETURN_NOT_OK(peer_stream_of(to, &stream));
    if (stream == NULL) stream = from_stream;
    NANOARROW_RETURN_NOT_OK(peer_copy_and_wait(schema, chunk, from_stream, to, &copied, stream));
    ArrowArrayMove(&copied.array, out);
    return NANOARROW_OK;
}

static int carry_as_it_is(const struct ArrowSchema *schema, struct ArrowDeviceArray *chunk,
                          struct ArrowDevice *to, struct ArrowArray *out) {
    (void)schema;
    if (peer_device_of(chunk) != to) return ENOTSUP; /* the stream has one device */
    if (chunk->sync_event != NULL)
        NANOARROW_RETURN_NOT_OK(to->synchronize_event(to, chunk->sync_event, NULL, &peer_error));
    ArrowArrayMove(&chunk->array, out);
    return NANOARROW_OK;
}

/* ---- from a stream ---- */

static int failed(struct ArrowDeviceArrayStream *in, int code) {
    const char *text = in->get_last_error(in);
    ArrowErrorSet(&peer_error, "%s", text == NULL ? "the stream failed" : text);
    return code;
}

/* Where `*to` is NULL it becomes the device of the first chunk. */
static int read_chunks(struct ArrowDeviceArrayStream *in, carry_fn carry, struct ArrowDevice **to,
                       struct chunks *chunks) {
    int code = in->get_schema(in, &chunks->schema);
    if (code != NANOARROW_OK) return failed(in, code);
    for (;;) {
        struct ArrowDeviceArray chunk;
        struct ArrowArray carried = {.release = NULL};
        code = in->get_next(in, &chunk);
        if (code != NANOARROW_OK) return failed(in, code);
        if (chunk.array.release == NULL) return NANOARROW_OK;
        if (*to == NULL) *to = peer_device_of(&chunk);
        code = *to == NULL ? ENODEV : carry(&chunks->schema, &chunk, *to, &carried);
        if (code == NANOARROW_OK) code = append(chunks, &carried);
        if (carried.release != NULL) ArrowArrayRelease(&carried);
        if (chunk.array.release != NULL) ArrowArrayRelease(&chunk.array);
        NANOARROW_RETURN_NOT_OK(code);
    }
}

/* ---- to a stream ---- */

static int read_into(struct ArrowDeviceArrayStream *in, carry_fn carry, struct ArrowDevice **to,
                     struct ArrowArrayStream *out) {
    struct chunks chunks = {.n = 0};
    int code = read_chunks(in, carry, to, &chunks);
    if (code == NANOARROW_OK) code = ArrowBasicArrayStreamInit(out, &chunks.schema, chunks.n);
    for (int64_t i = 0; code == NANOARROW_OK && i < chunks.n; i++)
        ArrowBasicArrayStreamSetArray(out, i, &chunks.arrays[i]);
    release_chunks(&chunks);
    in->release(in);
    return code;
}

static int read_into_device(struct ArrowDeviceArrayStream *in, carry_fn carry,
                            struct ArrowDevice *to, struct ArrowDeviceArrayStream *out) {
    struct ArrowArrayStream arrays;
    ArrowDeviceType type = in->device_type;
    NANOARROW_RETURN_NOT_OK(read_into(in, carry, &to, &arrays));
    if (to == NULL) to = ArrowDeviceResolve(type, type == ARROW_DEVICE_CPU ? -1 : 0);
    int code = to == NULL ? ENODEV : ArrowDeviceBasicArrayStreamInit(out, &arrays, to);
    if (code != NANOARROW_OK) ArrowArrayStreamRelease(&arrays);
    return code;
}

int peer_produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                        struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    (void)self;
    struct ArrowDeviceArrayStream given;
    ArrowErrorInit(&peer_error);
    struct ArrowDevice *device = ArrowDeviceResolve(type, id);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(ArrowDeviceBasicArrayStreamInit(&given, host, ArrowDeviceCpu()));
    return read_into_device(&given, carry_by_copy, device, out);
}

int peer_consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                        struct ArrowArrayStream *host_out) {
    (void)self;
    struct ArrowDevice *cpu = ArrowDeviceCpu();
    ArrowErrorInit(&peer_error);
    if (in->release == NULL) return EINVAL;
    return read_into(in, carry_by_copy, &cpu, host_out);
}

int peer_relay_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                      struct ArrowDeviceArrayStream *out) {
    (void)self;
    ArrowErrorInit(&peer_error);
    if (in->release == NULL) return EINVAL;
    return read_into_device(in, carry_as_it_is, NULL, out);
}
