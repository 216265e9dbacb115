/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "device_types.h"
#include "move.h"
#include "stream.h"
#include "stream_whole.h"

/* ---- a stream on the CPU as a device stream: its callbacks are passed on ---- */

static int wrapped_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct ArrowArrayStream *in = self->private_data;
    return in->get_schema(in, out);
}

static int wrapped_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowArrayStream *in = self->private_data;
    struct ArrowArray chunk = out->array; /* which is seen where nothing is written */
    int code = in->get_next(in, &chunk);
    if (code == 0) *out = adi_device_array_of_cpu(&chunk);
    return code;
}

static const char *wrapped_error(struct ArrowDeviceArrayStream *self) {
    struct ArrowArrayStream *in = self->private_data;
    return in->get_last_error(in);
}

static void wrapped_release(struct ArrowDeviceArrayStream *self) {
    struct ArrowArrayStream *in = self->private_data;
    adi_array_stream_release(in);
    free(in);
    self->release = NULL;
}

int adi_stream_wrap(struct ArrowArrayStream *in, struct ArrowDeviceArrayStream *out,
                    struct adi_error *error) {
    ADI_TRY(adi_host_stream_check(in, error));
    struct ArrowArrayStream *kept = malloc(sizeof *kept);
    if (kept == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    adi_array_stream_move(in, kept);
    *out = (struct ArrowDeviceArrayStream){ARROW_DEVICE_CPU, wrapped_schema,  wrapped_next,
                                           wrapped_error,    wrapped_release, kept};
    return 0;
}

/* ---- and back ---- */

struct unwrapped {
    struct ArrowDeviceArrayStream in;
    bool is_elsewhere; /* a chunk was not on the CPU: get_next goes no further */
    bool says_so;      /* the last call has failed for that */
};

static int unwrapped_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct unwrapped *stream = self->private_data;
    stream->says_so = false;
    return stream->in.get_schema(&stream->in, out);
}

static int unwrapped_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct unwrapped *stream = self->private_data;
    struct ArrowDeviceArray chunk;
    stream->says_so = stream->is_elsewhere;
    if (stream->is_elsewhere) return ENOTSUP;
    int code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return code;
    if (chunk.array.release != NULL && chunk.device_type != ARROW_DEVICE_CPU) {
        adi_device_array_release(&chunk);
        stream->is_elsewhere = stream->says_so = true;
        return ENOTSUP;
    }
    adi_array_move(&chunk.array, out);
    return 0;
}

static const char *unwrapped_error(struct ArrowArrayStream *self) {
    struct unwrapped *stream = self->private_data;
    return stream->says_so ? "a chunk is not on the CPU" : stream->in.get_last_error(&stream->in);
}

static void unwrapped_release(struct ArrowArrayStream *self) {
    struct unwrapped *stream = self->private_data;
    adi_device_array_stream_release(&stream->in);
    free(stream);
    self->release = NULL;
}

int adi_stream_unwrap(struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                      struct adi_error *error) {
    ADI_TRY(adi_device_stream_check(in, error));
    if (in->device_type != ARROW_DEVICE_CPU)
        return adi_error_set(error, ENOTSUP, "the stream is of device_type %" PRId32 " (%s)",
                             in->device_type, adi_device_type_name(in->device_type));
    struct unwrapped *stream = malloc(sizeof *stream);
    if (stream == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    *stream = (struct unwrapped){.is_elsewhere = false};
    adi_device_array_stream_move(in, &stream->in);
    *out = (struct ArrowArrayStream){unwrapped_schema, unwrapped_next, unwrapped_error,
                                     unwrapped_release, stream};
    return 0;
}
