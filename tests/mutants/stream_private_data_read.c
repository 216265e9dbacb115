/* SPDX-License-Identifier: Apache-2.0
 *
 * life/private-data-touched, consumer: what is behind private_data is taken for one of its own.
 * NVIDIA/cudf#22620.
 */
#include <errno.h>

#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    const struct base_stream *own = in->private_data;
    if (in->release != NULL && own->chunks == 12345) return EINVAL;
    return base_consume_stream(self, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
