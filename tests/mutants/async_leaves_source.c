/* SPDX-License-Identifier: Apache-2.0
 *
 * life/move-source-not-released, consumer: the stream of host arrays is copied, and not marked.
 * What can be told is told within the hand-over.
 */
#include "base/async.h"

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowArrayStream copy = *host;
    return base_produce_async(self, type, device_id, &copy, handler);
}

void mutate(void) {
    base_async.within = true;
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
