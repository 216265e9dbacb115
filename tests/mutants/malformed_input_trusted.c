/* SPDX-License-Identifier: Apache-2.0
 *
 * array/malformed-input-crashes, consumer. Planted: the base as it is: counts and pointers are
 * believed.
 */
#include "base/implementation.h"

void mutate(void) {
    base.roles = ADI_CONSUMES;
}
