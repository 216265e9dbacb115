/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-there, consumer: once it is warm, it looks at the producer when all is over.
 */
#include "base/async_consumer.h"

static int times;

static void over(struct base_sink *sink) {
    if (sink->producer != NULL && times++ > 0)
        (void)*(volatile ArrowDeviceType *)&sink->producer->device_type;
}

void mutate(void) {
    base_async_consumer.over = over;
    base_consumes_async();
}
