/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: an array is handed on without its event.
 */
#include "../device/device_base.h"

static void drop(struct ArrowDeviceArray *out) {
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.exported = drop;
}
