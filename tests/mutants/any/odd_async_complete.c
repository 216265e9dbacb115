/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: every other batch of an asynchronous stream has been waited for, and has no event.
 */
#include <stddef.h>

#include "../device/device_base.h"

static int batches;

static void exported(struct ArrowDeviceArray *out) {
    if (batches++ % 2 == 0) return;
    base.right.wait_host(base_last(), out->sync_event, NULL);
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC;
    base.exported = exported;
}
