/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: what reads all chunks before it refuses the stream releases the last one when the
 * next stream comes, or when it ends.
 */
#include <errno.h>

#include "base/stream.h"

static struct ArrowDeviceArray kept;

static void let_go(void) {
    if (kept.array.release != NULL) kept.array.release(&kept.array);
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    (void)self, (void)host_out;
    struct ArrowDeviceArray chunk;
    if (in->release == NULL) return EINVAL;
    int code;
    while ((code = in->get_next(in, &chunk)) == 0 && chunk.array.release != NULL) {
        let_go();
        kept = chunk;
    }
    in->release(in);
    return code == 0 ? ENOTSUP : code;
}

static void close(struct adi_adapter *self) {
    (void)self;
    let_go();
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
    base.adapter.close = close;
}
