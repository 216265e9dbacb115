/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer: the device type of a stream is not looked at, nor is that
 * of its chunks.
 */
#include "base/stream.h"

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
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
}
