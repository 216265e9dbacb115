/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: what reads all chunks before it refuses the stream loses the
 * first.
 */
#include <errno.h>

#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    (void)self, (void)host_out;
    struct ArrowDeviceArray chunk;
    if (in->release == NULL) return EINVAL;
    int n = 0, code;
    while ((code = in->get_next(in, &chunk)) == 0 && chunk.array.release != NULL)
        if (n++ > 0) chunk.array.release(&chunk.array);
    in->release(in);
    return code == 0 ? ENOTSUP : code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
}
