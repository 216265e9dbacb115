/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the chunks of a stream are read without a look at their events.
 */
#include "../device/device_base.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
    base.ops.wait = never;
}
