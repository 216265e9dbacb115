/* SPDX-License-Identifier: Apache-2.0 */
#include "batches.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "export.h"
#include "move.h"
#include "schema.h"

#define FIRST_ROOM 8

int adi_batches_add(struct adi_batches *batches, struct ArrowArray *array, int64_t times,
                    struct adi_error *error) {
    if (batches->count == batches->room) {
        size_t room = batches->room == 0 ? FIRST_ROOM : 2 * batches->room;
        struct adi_batch *grown = room > SIZE_MAX / sizeof *grown
                                      ? NULL
                                      : realloc(batches->batches, room * sizeof *grown);
        if (grown == NULL) return adi_error_set(error, ENOMEM, "no memory for %zu batches", room);
        batches->batches = grown;
        batches->room = room;
    }
    struct adi_batch *batch = &batches->batches[batches->count++];
    adi_array_move(array, &batch->array);
    batch->times = times;
    return 0;
}

void adi_batches_release(struct adi_batches *batches) {
    adi_schema_release(&batches->schema);
    for (size_t i = 0; i < batches->count; i++) adi_array_release(&batches->batches[i].array);
    free(batches->batches);
    adi_last_error_clear(&batches->schema_error);
    adi_last_error_clear(&batches->error);
    *batches = (struct adi_batches){0};
}

void adi_batches_collect(struct ArrowArrayStream *in, struct adi_batches *out) {
    struct ArrowArrayStream stream;
    adi_array_stream_move(in, &stream);
    *out = (struct adi_batches){0};
    int code = stream.get_schema(&stream, &out->schema);
    if (code != 0) {
        out->schema.release = NULL; /* it may be anything */
        adi_last_error_of_stream(&stream, code, &out->schema_error);
    }
    while (code == 0) {
        struct ArrowArray chunk = {.release = NULL}; /* it may be left as it is */
        struct adi_error error;
        code = stream.get_next(&stream, &chunk);
        if (code != 0) {
            adi_last_error_of_stream(&stream, code, &out->error);
            break;
        }
        if (chunk.release == NULL) break;
        code = adi_batches_add(out, &chunk, 1, &error);
        if (code == 0) continue;
        adi_last_error_set(&out->error, code, error.text);
        adi_array_release(&chunk);
    }
    adi_array_stream_release(&stream);
}

/* ---- the stream ---- */

/* A batch that several chunks share; it ends with the last of them. */
struct shared {
    atomic_size_t references;
    struct ArrowArray array;
};

struct stream {
    struct adi_batches batches;
    size_t at; /* of the batch that is next */
    int64_t given;
    struct shared *shared; /* of the batch that is next; NULL: not made yet */
    struct adi_last_error last;
};

static void drop_shared(void *shared_at) {
    struct shared *shared = shared_at;
    if (atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) > 1) return;
    adi_array_release(&shared->array);
    free(shared);
}

static int share(struct stream *stream, struct adi_batch *batch, struct ArrowArray *out,
                 struct adi_error *error) {
    if (stream->shared == NULL) {
        struct shared *shared = malloc(sizeof *shared);
        if (shared == NULL) return adi_error_set(error, ENOMEM, "no memory to share a batch");
        atomic_init(&shared->references, 1);
        adi_array_move(&batch->array, &shared->array);
        stream->shared = shared;
    }
    struct adi_owner owner = {drop_shared, stream->shared};
    ADI_TRY(adi_export(&stream->shared->array, owner, out, error));
    atomic_fetch_add_explicit(&stream->shared->references, 1, memory_order_relaxed);
    return 0;
}

/* The next chunk; it is left where it is if that fails. */
static int give(struct stream *stream, struct ArrowArray *out, struct adi_error *error) {
    struct adi_batch *batch = &stream->batches.batches[stream->at];
    if (batch->times <= 1) {
        adi_array_move(&batch->array, out);
    } else {
        ADI_TRY(share(stream, batch, out, error));
        if (++stream->given < batch->times) return 0;
        drop_shared(stream->shared);
        stream->shared = NULL;
        stream->given = 0;
    }
    stream->at++;
    return 0;
}

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct stream *stream = self->private_data;
    const struct adi_last_error *wanted = &stream->batches.schema_error;
    struct adi_error error = {""};
    adi_last_error_clear(&stream->last);
    if (wanted->code != 0) return adi_last_error_set(&stream->last, wanted->code, wanted->text);
    if (stream->batches.schema.release == NULL)
        return adi_last_error_set(&stream->last, EINVAL, "the schema is not known");
    int code = adi_schema_export(&stream->batches.schema, out, &error);
    return code == 0 ? 0 : adi_last_error_set(&stream->last, code, error.text);
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct stream *stream = self->private_data;
    const struct adi_last_error *wanted = &stream->batches.error;
    struct adi_error error = {""};
    adi_last_error_clear(&stream->last);
    if (stream->at < stream->batches.count) {
        int code = give(stream, out, &error);
        return code == 0 ? 0 : adi_last_error_set(&stream->last, code, error.text);
    }
    if (wanted->code != 0) return adi_last_error_set(&stream->last, wanted->code, wanted->text);
    *out = (struct ArrowArray){.release = NULL};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *self) {
    return ((struct stream *)self->private_data)->last.text;
}

static void release(struct ArrowArrayStream *self) {
    struct stream *stream = self->private_data;
    if (stream->shared != NULL) drop_shared(stream->shared);
    adi_batches_release(&stream->batches);
    adi_last_error_clear(&stream->last);
    free(stream);
    self->release = NULL;
}

int adi_batches_stream(struct adi_batches *batches, struct ArrowArrayStream *out,
                       struct adi_error *error) {
    struct stream *stream = malloc(sizeof *stream);
    if (stream == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    *stream = (struct stream){.batches = *batches};
    *batches = (struct adi_batches){0};
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = stream};
    return 0;
}
