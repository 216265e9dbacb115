/* SPDX-License-Identifier: Apache-2.0 */
/* Writes past the end of an allocation. */
#include <stdlib.h>

#include "hostile.h"

static volatile size_t size = 16;

static void misbehave(void) {
    volatile char *bytes = malloc(size);
    if (bytes != NULL) bytes[size] = 1;
    free((void *)bytes);
}
