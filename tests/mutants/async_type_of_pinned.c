/* SPDX-License-Identifier: Apache-2.0
 *
 * async/chunk-of-other-type: the producer says pinned memory, the batches say CPU.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->any.producer.device_type = ARROW_DEVICE_CUDA_HOST;
}

void mutate(void) {
    base_async.opened = opened;
    base_plays_async();
}
