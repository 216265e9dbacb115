/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in close. */
#include "hostile.h"

static void misbehave(void) {}

static void crash(struct adi_adapter *self) {
    (void)self;
    fault();
}

__attribute__((constructor)) static void change(void) {
    hostile.close = crash;
}
