/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: nothing but asynchronous streams.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC | ADI_CONSUMES_ASYNC;
}
