/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "device_types.h"
#include "import.h"
#include "last_error.h"
#include "move.h"
#include "stream.h"
#include "stream_whole.h"

struct consumed {
    struct ArrowDeviceArrayStream in;
    struct ArrowSchema schema; /* released: not known yet */
    struct adi_last_error last;
    struct adi_last_error failed; /* get_next goes no further */
    size_t n_devices;
    struct adi_device *devices[];
};

static int know_schema(struct consumed *stream) {
    if (stream->schema.release != NULL) return 0;
    struct ArrowSchema schema;
    int code = stream->in.get_schema(&stream->in, &schema);
    if (code != 0) return adi_last_error_of_device_stream(&stream->in, code, &stream->last);
    adi_schema_move(&schema, &stream->schema);
    return 0;
}

static int consumed_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct consumed *stream = self->private_data;
    struct ArrowSchema schema;
    adi_last_error_clear(&stream->last);
    int code = stream->in.get_schema(&stream->in, &schema);
    if (code != 0) return adi_last_error_of_device_stream(&stream->in, code, &stream->last);
    adi_schema_move(&schema, out);
    return 0;
}

static int next_consumed(struct consumed *stream, struct ArrowArray *out) {
    struct ArrowDeviceArray chunk;
    struct adi_error error = {""};
    int code = know_schema(stream);
    if (code != 0) return code;
    code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return adi_last_error_of_device_stream(&stream->in, code, &stream->last);
    if (chunk.array.release == NULL) {
        *out = (struct ArrowArray){.release = NULL};
        return 0;
    }
    code = adi_consume_on(stream->devices, stream->n_devices, &stream->schema, &chunk, out, &error);
    if (code == 0) return 0;
    adi_device_array_release(&chunk);
    return adi_last_error_set(&stream->last, code, error.text);
}

static int consumed_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct consumed *stream = self->private_data;
    const struct adi_last_error *failed = &stream->failed;
    adi_last_error_clear(&stream->last);
    if (failed->code != 0) return adi_last_error_set(&stream->last, failed->code, failed->text);
    int code = next_consumed(stream, out);
    return code == 0 ? 0 : adi_last_error_set(&stream->failed, code, stream->last.text);
}

static const char *consumed_error(struct ArrowArrayStream *self) {
    return ((struct consumed *)self->private_data)->last.text;
}

static void consumed_release(struct ArrowArrayStream *self) {
    struct consumed *stream = self->private_data;
    adi_device_array_stream_release(&stream->in);
    adi_schema_release(&stream->schema);
    adi_last_error_clear(&stream->last);
    adi_last_error_clear(&stream->failed);
    free(stream);
    self->release = NULL;
}

static int check_stream(struct adi_device *const *devices, size_t n_devices,
                        const struct ArrowDeviceArrayStream *in, struct adi_error *error) {
    ADI_TRY(adi_device_stream_check(in, error));
    for (size_t i = 0; i < n_devices; i++)
        if (devices[i]->ops->type == in->device_type) return 0;
    return adi_error_set(error, ENOTSUP, "the stream is of device_type %" PRId32 " (%s)",
                         in->device_type, adi_device_type_name(in->device_type));
}

int adi_stream_copy_to_host(struct adi_device *const *devices, size_t n_devices,
                            struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                            struct adi_error *error) {
    ADI_TRY(check_stream(devices, n_devices, in, error));
    struct consumed *stream = malloc(sizeof *stream + n_devices * sizeof *devices);
    if (stream == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    *stream = (struct consumed){.n_devices = n_devices};
    memcpy(stream->devices, devices, n_devices * sizeof *devices);
    adi_device_array_stream_move(in, &stream->in);
    *out = (struct ArrowArrayStream){consumed_schema, consumed_next, consumed_error,
                                     consumed_release, stream};
    return 0;
}

int adi_stream_consume(struct adi_device *const *devices, size_t n_devices,
                       struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                       struct adi_error *error) {
    struct ArrowArrayStream copies;
    struct adi_batches batches;
    ADI_TRY(adi_stream_copy_to_host(devices, n_devices, in, &copies, error));
    adi_batches_collect(&copies, &batches);
    int code = adi_batches_stream(&batches, out, error);
    adi_batches_release(&batches);
    return code;
}
