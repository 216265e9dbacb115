/* SPDX-License-Identifier: Apache-2.0
 *
 * life/hang: nothing ever comes.
 */
#include "base/async.h"

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    (void)self, (void)type, (void)device_id, (void)handler;
    host->release(host);
    return 0;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
