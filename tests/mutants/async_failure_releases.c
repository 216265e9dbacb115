/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-failure: a produce_async that fails releases the handler.
 */
#include <errno.h>

#include "base/async.h"

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    (void)self, (void)type, (void)device_id, (void)host;
    handler->release(handler);
    return ENOTSUP;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
