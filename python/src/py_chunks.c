/* SPDX-License-Identifier: Apache-2.0 */
#include "py_chunks.h"

#include <errno.h>
#include <stdlib.h>

#include "move.h"
#include "schema.h"

struct adi_py_chunks *adi_py_chunks_new(struct adi_device *device, struct ArrowSchema *schema,
                                        struct adi_error *error) {
    struct adi_py_chunks *chunks = calloc(1, sizeof *chunks);
    if (chunks == NULL) {
        adi_error_set(error, ENOMEM, "no memory for a stream");
        return NULL;
    }
    atomic_init(&chunks->uses, 1);
    chunks->device = device;
    adi_schema_move(schema, &chunks->schema);
    return chunks;
}

int adi_py_chunks_add(struct adi_py_chunks *chunks, struct adi_py_memory *chunk,
                      struct adi_error *error) {
    if (chunks->count == chunks->room) {
        size_t room = 2 * chunks->room + 8;
        struct adi_py_memory **more = realloc(chunks->chunks, room * sizeof(*more));
        if (more == NULL) return adi_error_set(error, ENOMEM, "no memory for %zu chunks", room);
        chunks->chunks = more;
        chunks->room = room;
    }
    chunks->chunks[chunks->count++] = chunk;
    return 0;
}

void adi_py_chunks_drop(struct adi_py_chunks *chunks) {
    if (chunks == NULL) return;
    if (atomic_fetch_sub_explicit(&chunks->uses, 1, memory_order_acq_rel) > 1) return;
    for (size_t i = 0; i < chunks->count; i++) adi_py_memory_drop(chunks->chunks[i]);
    adi_schema_release(&chunks->schema);
    free(chunks->chunks);
    free(chunks);
}

/* ---- the stream ---- */

struct reader {
    struct adi_py_chunks *chunks;
    size_t next;
    struct adi_error error; /* of the last call */
};

static int get_schema(struct ArrowDeviceArrayStream *stream, struct ArrowSchema *out) {
    struct reader *reader = stream->private_data;
    reader->error.text[0] = '\0';
    return adi_schema_export(&reader->chunks->schema, out, &reader->error);
}

static int get_next(struct ArrowDeviceArrayStream *stream, struct ArrowDeviceArray *out) {
    struct reader *reader = stream->private_data;
    reader->error.text[0] = '\0';
    if (reader->next == reader->chunks->count) {
        out->array.release = NULL;
        return 0;
    }
    ADI_TRY(adi_py_memory_share(reader->chunks->chunks[reader->next], out, &reader->error));
    reader->next++;
    return 0;
}

static const char *get_last_error(struct ArrowDeviceArrayStream *stream) {
    struct reader *reader = stream->private_data;
    return reader->error.text[0] == '\0' ? NULL : reader->error.text;
}

static void release(struct ArrowDeviceArrayStream *stream) {
    struct reader *reader = stream->private_data;
    adi_py_chunks_drop(reader->chunks);
    free(reader);
    stream->release = NULL;
}

int adi_py_chunks_stream(struct adi_py_chunks *chunks, struct ArrowDeviceArrayStream *out,
                         struct adi_error *error) {
    struct reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    atomic_fetch_add_explicit(&chunks->uses, 1, memory_order_relaxed);
    reader->chunks = chunks;
    *out = (struct ArrowDeviceArrayStream){.device_type = chunks->device->ops->type,
                                           .get_schema = get_schema,
                                           .get_next = get_next,
                                           .get_last_error = get_last_error,
                                           .release = release,
                                           .private_data = reader};
    return 0;
}
