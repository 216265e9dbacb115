/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in every call. */
#include "everywhere.h"

static void misbehave(void) {
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}
