/* SPDX-License-Identifier: Apache-2.0 */
/* Dereferences a null pointer. */
#include "hostile.h"

static void misbehave(void) {
    fault();
}
