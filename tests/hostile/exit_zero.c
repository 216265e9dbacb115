/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process as if all was well. */
#include "hostile.h"

#include <stdlib.h>

static void misbehave(void) {
    exit(0);
}
