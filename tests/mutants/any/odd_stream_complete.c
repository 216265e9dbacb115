/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: every other chunk of a stream has been waited for, and has no event.
 */
#include <stddef.h>

#include "../device/device_base.h"

static int chunks;

static void exported(struct ArrowDeviceArray *out) {
    if (chunks++ % 2 == 0) return;
    base.right.wait_host(base_last(), out->sync_event, NULL);
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.exported = exported;
}
