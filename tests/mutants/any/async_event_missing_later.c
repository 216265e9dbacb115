/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: the first batch of an asynchronous stream comes with an event, the
 * others come without.
 */
#include <stddef.h>

#include "../device/device_base.h"

static int batches;

static void begin(void) {
    batches = 0;
}

/* The event is the release callback's, which knows it by itself. */
static void exported(struct ArrowDeviceArray *out) {
    if (batches++ > 0) out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC;
    base.begins = begin;
    base.exported = exported;
}
