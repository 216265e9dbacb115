/* SPDX-License-Identifier: Apache-2.0 */
/* Has a name that is no text. */
#include "hostile.h"

#include <stdint.h>

static void misbehave(void) {}

__attribute__((constructor)) static void change(void) {
    hostile.name = (const char *)(uintptr_t)64;
}
