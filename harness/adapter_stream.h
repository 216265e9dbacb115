/* SPDX-License-Identifier: Apache-2.0
 *
 * For adapters of libraries that have no ArrowArrayStream of their own: copy this file beside your
 * adapter. It forwards chunks as they are, without copying or allocating one. C99 or C++11; links
 * with nothing.
 *
 * `consume_stream`: give the harness an ArrowArrayStream whose chunks your library makes one by
 * one:
 *
 *     const struct adi_forwarded from = {mine, schema, next, error, end};
 *     return adi_forward(host_out, &from);
 *
 * `produce_stream`: read `host` by its callbacks, and release it (adi_forward_end).
 *
 * Without ADI_ARRAY_STREAMS in its `roles` an adapter's ArrowArrayStreams are its own: what is
 * wrong with one made here is an error, and nobody's violation.
 */
#ifndef ADI_ADAPTER_STREAM_H
#define ADI_ADAPTER_STREAM_H

#include <errno.h>
#include <stdlib.h>

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands behind a forwarded stream; all functions get `mine`. */
struct adi_forwarded {
    void *mine;
    /* Each answers 0 or an errno value, and moves what it gives into `out`. */
    int (*schema)(void *mine, struct ArrowSchema *out);
    int (*next)(void *mine, struct ArrowArray *out);
    /* (optional) The text of the last error; valid until the next call. */
    const char *(*error)(void *mine);
    /* (optional) Called once, when the stream is released. */
    void (*end)(void *mine);
};

static inline int adi_forward_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct adi_forwarded *forwarded = (struct adi_forwarded *)self->private_data;
    return forwarded->schema(forwarded->mine, out);
}

static inline int adi_forward_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct adi_forwarded *forwarded = (struct adi_forwarded *)self->private_data;
    return forwarded->next(forwarded->mine, out);
}

static inline const char *adi_forward_error(struct ArrowArrayStream *self) {
    struct adi_forwarded *forwarded = (struct adi_forwarded *)self->private_data;
    return forwarded->error == NULL ? NULL : forwarded->error(forwarded->mine);
}

static inline void adi_forward_release(struct ArrowArrayStream *self) {
    struct adi_forwarded *forwarded = (struct adi_forwarded *)self->private_data;
    if (forwarded->end != NULL) forwarded->end(forwarded->mine);
    free(forwarded);
    self->release = NULL;
}

/* Makes `*out` of these functions, which the stream keeps until its release. ENOMEM: `*out` is
 * untouched, and `end` is not called. */
static inline int adi_forward(struct ArrowArrayStream *out, const struct adi_forwarded *from) {
    struct adi_forwarded *forwarded = (struct adi_forwarded *)malloc(sizeof *forwarded);
    if (forwarded == NULL) return ENOMEM;
    *forwarded = *from;
    out->get_schema = adi_forward_schema;
    out->get_next = adi_forward_next;
    out->get_last_error = adi_forward_error;
    out->release = adi_forward_release;
    out->private_data = forwarded;
    return 0;
}

/* Releases a stream that is not released yet. */
static inline void adi_forward_end(struct ArrowArrayStream *stream) {
    if (stream->release != NULL) stream->release(stream);
}

#ifdef __cplusplus
}
#endif

#endif /* ADI_ADAPTER_STREAM_H */
