/* SPDX-License-Identifier: Apache-2.0 */
/* Loses memory in every call. */
#include "everywhere.h"

#include <stdlib.h>

static void misbehave(void) {
    void *volatile lost = malloc(1000);
    (void)lost;
}
