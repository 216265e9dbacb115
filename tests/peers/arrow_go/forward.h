/* SPDX-License-Identifier: Apache-2.0
 *
 * cdata has streams of the CPU only, without a device: one of its own as a device stream, and a
 * device stream of the CPU as one that it can import. Each moves from its input, and forwards
 * callback for callback.
 */
#ifndef TESTS_PEERS_ARROW_GO_FORWARD_H
#define TESTS_PEERS_ARROW_GO_FORWARD_H

#include "adapter_stream.h"

/* ---- a device stream as an ArrowArrayStream ---- */

static inline int within_schema(void *within, struct ArrowSchema *out) {
    struct ArrowDeviceArrayStream *stream = (struct ArrowDeviceArrayStream *)within;
    return stream->get_schema(stream, out);
}

static inline int within_next(void *within, struct ArrowArray *out) {
    struct ArrowDeviceArrayStream *stream = (struct ArrowDeviceArrayStream *)within;
    struct ArrowDeviceArray chunk;
    int code = stream->get_next(stream, &chunk);
    if (code == 0) *out = chunk.array;
    return code;
}

static inline const char *within_error(void *within) {
    struct ArrowDeviceArrayStream *stream = (struct ArrowDeviceArrayStream *)within;
    return stream->get_last_error(stream);
}

static inline void within_end(void *within) {
    struct ArrowDeviceArrayStream *stream = (struct ArrowDeviceArrayStream *)within;
    stream->release(stream);
    free(stream);
}

static inline int array_stream_of(struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out) {
    out->release = NULL;
    if (in->release == NULL) return 0; /* cdata is to say so */
    struct ArrowDeviceArrayStream *within = (struct ArrowDeviceArrayStream *)malloc(sizeof *within);
    if (within == NULL) return ENOMEM;
    const struct adi_forwarded from = {within, within_schema, within_next, within_error,
                                       within_end};
    int code = adi_forward(out, &from);
    if (code == 0) {
        *within = *in;
        in->release = NULL;
    } else {
        free(within);
    }
    return code;
}

/* ---- an ArrowArrayStream as a device stream ---- */

static inline int own_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct ArrowArrayStream *own = (struct ArrowArrayStream *)self->private_data;
    return own->get_schema(own, out);
}

static inline int own_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowArrayStream *own = (struct ArrowArrayStream *)self->private_data;
    struct ArrowDeviceArray chunk = {.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    int code = own->get_next(own, &chunk.array);
    if (code == 0) *out = chunk;
    return code;
}

static inline const char *own_error(struct ArrowDeviceArrayStream *self) {
    struct ArrowArrayStream *own = (struct ArrowArrayStream *)self->private_data;
    return own->get_last_error(own);
}

static inline void own_release(struct ArrowDeviceArrayStream *self) {
    adi_forward_end((struct ArrowArrayStream *)self->private_data);
    free(self->private_data);
    self->release = NULL;
}

/* `in` was allocated with malloc. */
static inline void device_stream_of(struct ArrowArrayStream *in,
                                    struct ArrowDeviceArrayStream *out) {
    *out = (struct ArrowDeviceArrayStream){ARROW_DEVICE_CPU, own_schema,  own_next,
                                           own_error,        own_release, in};
}

#endif /* TESTS_PEERS_ARROW_GO_FORWARD_H */
