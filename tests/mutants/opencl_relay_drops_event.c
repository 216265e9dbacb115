/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer. vortex-data/vortex#6569: the array is handed on without its
 * event.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static void hand_out(struct ArrowDeviceArray *out) {
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.exported = hand_out;
}
