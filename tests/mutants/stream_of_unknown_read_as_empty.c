/* SPDX-License-Identifier: Apache-2.0
 *
 * device/unknown-type-accepted, consumer: a stream of an unknown device is read as an empty one.
 */
#include <stdbool.h>

#include "base/stream.h"

static bool is_unknown;

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    if (!is_unknown) return base_copied_next(self, out);
    out->release = NULL;
    return 0;
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    is_unknown = in->release != NULL && in->device_type != ARROW_DEVICE_CPU;
    struct ArrowDeviceArrayStream taken = *in;
    taken.device_type = ARROW_DEVICE_CPU;
    int code = base_consume_stream(self, &taken, host_out);
    if (code != 0) return code;
    ((struct base_stream *)host_out->private_data)->in.device_type = in->device_type;
    in->release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
    base_copied.get_next = next;
}
