/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/bound-to-thread, producer: chunks are made on the thread that has made the stream.
 */
#include <errno.h>
#include <pthread.h>

#include "base/stream.h"

static pthread_t maker;

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    return pthread_equal(maker, pthread_self()) ? base_produced_next(self, out) : EPERM;
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    return pthread_equal(maker, pthread_self()) ? base_produced_error(self) : "another thread";
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = base_produce_stream(self, type, device_id, host, out);
    if (code != 0) return code;
    maker = pthread_self();
    out->get_next = next;
    out->get_last_error = error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.produce_stream = produce;
}
