/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: memory of the device is handed out as pinned.
 */
#include "rocm/rocm.h"

void mutate(void) {
    base_is_for_host();
    base_allocates(OF_DEVICE);
    base.roles = ADI_PRODUCES;
}
