/* SPDX-License-Identifier: Apache-2.0
 *
 * async/released-alone: a stream is taken and its handler released, and that is all.
 */
#include <errno.h>

#include "base/async.h"

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    (void)self, (void)device_id;
    if (type != ARROW_DEVICE_CPU) return ENOTSUP;
    host->release(host);
    handler->release(handler);
    return 0;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
