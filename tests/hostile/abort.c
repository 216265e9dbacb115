/* SPDX-License-Identifier: Apache-2.0 */
/* Aborts. */
#include "hostile.h"

#include <stdlib.h>

static void misbehave(void) {
    abort();
}
