/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-failure: a produce_async that fails releases the handler a while later.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "base/async.h"

static void *release_later(void *handler_at) {
    struct ArrowAsyncDeviceStreamHandler *handler = handler_at;
    usleep(20000);
    handler->release(handler);
    return NULL;
}

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowSchema schema;
    pthread_t thread;
    int code = host->get_schema(host, &schema);
    if (code == 0) {
        schema.release(&schema);
        return base_produce_async(self, type, device_id, host, handler);
    }
    host->release(host);
    if (pthread_create(&thread, NULL, release_later, handler) == 0) pthread_detach(thread);
    return code;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
