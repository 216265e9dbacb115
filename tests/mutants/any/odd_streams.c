/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: nothing but streams.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS;
}
