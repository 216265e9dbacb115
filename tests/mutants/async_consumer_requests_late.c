/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-there: more is requested when the handler has been released.
 */
#include <unistd.h>

#include "base/async_consumer.h"

static void over(struct base_sink *sink) {
    usleep(20000);
    if (sink->producer != NULL) sink->producer->request(sink->producer, 1);
}

void mutate(void) {
    base_async_consumer.over = over;
    base_consumes_async();
}
