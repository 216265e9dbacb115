/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: nothing but streams, in all three roles.
 */
#include "base/stream.h"

void mutate(void) {
    base.roles = BASE_STREAMS;
}
