/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a stream is read to its end before its chunks are looked at, and then refused for
 * its second one.
 */
#include <errno.h>

#include "base/stream.h"

static int read_all(struct ArrowDeviceArrayStream *in) {
    for (int chunks = 0;; chunks++) {
        struct ArrowDeviceArray chunk;
        int code = in->get_next(in, &chunk);
        if (code != 0) return code;
        if (chunk.array.release == NULL) return chunks > 1 ? ENOTSUP : 0;
        chunk.array.release(&chunk.array);
    }
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    (void)self, (void)host_out;
    if (in->release == NULL) return EINVAL;
    int code = read_all(in);
    in->release(in);
    return code == 0 ? ENOTSUP : code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
