/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/calls-overlap, consumer: two threads ask for schemas, at once.
 */
#include <pthread.h>

#include "base/stream.h"

static pthread_barrier_t barrier;

static void *ask(void *in_at) {
    struct ArrowDeviceArrayStream *in = in_at;
    struct ArrowSchema schema;
    for (int i = 0; i < 50; i++) {
        pthread_barrier_wait(&barrier);
        if (in->get_schema(in, &schema) == 0) schema.release(&schema);
    }
    return NULL;
}

static void ask_at_once(struct ArrowDeviceArrayStream *in) {
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&other, NULL, ask, in) != 0) return;
    ask(in);
    pthread_join(other, NULL);
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    int code = base_consume_stream(self, in, host_out);
    if (code != 0) return code;
    ask_at_once(&base_copy_of(host_out)->in);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.adapter.consume_stream = consume;
}
