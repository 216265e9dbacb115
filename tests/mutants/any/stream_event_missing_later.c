/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: the first chunk of a stream comes with an event, the others come
 * without.
 */
#include <stddef.h>

#include "../device/device_base.h"

static int chunks;

static void begin(void) {
    chunks = 0;
}

/* The event is the release callback's, which knows it by itself. */
static void exported(struct ArrowDeviceArray *out) {
    if (chunks++ > 0) out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.begins = begin;
    base.exported = exported;
}
