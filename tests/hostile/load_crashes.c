/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes while it is loaded. */
#include "hostile.h"

static void misbehave(void) {}

__attribute__((constructor)) static void crash(void) {
    fault();
}
