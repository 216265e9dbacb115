/* SPDX-License-Identifier: Apache-2.0
 *
 * async/malformed-input-crashes, consumer: the lengths of metadata are believed.
 */
#include <string.h>

#include "base/async_consumer.h"

static volatile unsigned sum;

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    uint32_t bytes = 0;
    if (metadata != NULL) memcpy(&bytes, metadata + 4, sizeof bytes);
    for (uint32_t i = 0; i < bytes; i++) sum += (unsigned char)metadata[8 + i];
    return base_on_next_task(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
