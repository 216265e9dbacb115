/* SPDX-License-Identifier: Apache-2.0
 *
 * device/type-unknown, producer. Planted: the device type is left zero.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->device_type = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
