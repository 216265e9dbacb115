/* SPDX-License-Identifier: Apache-2.0
 *
 * device/id-differs, producer: device_id counts from one.
 */
#include "../device/device_base.h"

static void hand_out(struct ArrowDeviceArray *out) {
    out->device_id++;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
