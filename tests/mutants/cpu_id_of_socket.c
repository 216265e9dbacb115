/* SPDX-License-Identifier: Apache-2.0
 *
 * device/cpu-id-unconventional, producer. Planted: the CPU has the number of its socket.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->device_id = 1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
