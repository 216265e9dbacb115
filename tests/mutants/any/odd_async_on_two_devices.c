/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the batches of an asynchronous stream are on two devices of its type, in turn.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC;
    base.on_both = true;
}
