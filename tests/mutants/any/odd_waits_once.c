/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: it does not wait twice for an event, and forgets which it was when the array is released.
 */
#include "../device/device_base.h"
#include "../remembers.h"

static void forget(struct adi_device *device) {
    (void)device;
    waited = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.released = forget;
    remember(&base.ops);
}
