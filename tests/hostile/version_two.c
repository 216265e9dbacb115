/* SPDX-License-Identifier: Apache-2.0 */
/* Is an adapter of another version. */
#include "hostile.h"

static void misbehave(void) {}

__attribute__((constructor)) static void change(void) {
    hostile.version = 2;
}
