/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: all chunks are copied before `consume_stream` returns, and an error makes it fail.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/stream.h"

#define MOST 64

struct copies {
    struct ArrowArray chunks[MOST];
    int n, at;
};

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct copies *copies = base_copy_of(self)->more;
    out->release = NULL;
    if (copies->at < copies->n) *out = copies->chunks[copies->at++];
    return 0;
}

static void release(struct ArrowArrayStream *self) {
    struct copies *copies = base_copy_of(self)->more;
    while (copies->at < copies->n) {
        copies->chunks[copies->at].release(&copies->chunks[copies->at]);
        copies->at++;
    }
    base_copied_release(self);
}

static int copy_all(struct ArrowArrayStream *self) {
    struct base_stream *stream = base_copy_of(self);
    struct copies *copies = stream->more = calloc(1, sizeof *copies);
    int code = copies == NULL ? ENOMEM : 0;
    while (code == 0) {
        if (copies->n == MOST) code = ENOMEM;
        if (code == 0) code = base_copied_next(self, &copies->chunks[copies->n]);
        if (code != 0 || copies->chunks[copies->n].release == NULL) break;
        copies->n++;
    }
    if (code == 0) stream->in.release(&stream->in);
    if (code != 0 && copies != NULL) release(self);
    return code;
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    code = copy_all(host_out);
    if (code != 0) return code;
    host_out->get_next = next;
    host_out->release = release;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
