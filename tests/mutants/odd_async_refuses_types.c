/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a thread of its own is there from the first stream on, and streams that are not of
 * structs are refused.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/async.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *idle(void *unused) {
    for (;;) pause();
    return unused;
}

static void begin(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, idle, NULL) == 0) pthread_detach(thread);
}

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowSchema schema;
    pthread_once(&once, begin);
    int code = host->get_schema(host, &schema);
    if (code == 0) {
        code = strcmp(schema.format, "+s") == 0 ? 0 : ENOTSUP;
        schema.release(&schema);
    }
    if (code == 0) return base_produce_async(self, type, device_id, host, handler);
    host->release(host);
    return code;
}

void mutate(void) {
    base_plays_async();
    base.adapter.produce_async = produce_async;
}
