/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: the chunks of a stream are on two devices of its type, in turn.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    base.on_both = true;
}
