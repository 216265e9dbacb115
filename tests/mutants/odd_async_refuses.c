/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: what cannot be streamed is refused: the source is asked for its schema within
 * the hand-over.
 */
#include <errno.h>

#include "base/async.h"

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowSchema schema;
    int code = host->get_schema(host, &schema);
    if (code == 0) {
        schema.release(&schema);
        return base_produce_async(self, type, device_id, host, handler);
    }
    host->release(host);
    return code;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
