/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: buffer values are addresses of contents in shared storage, which the device writes.
 */
#include "metal/metal.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
}
