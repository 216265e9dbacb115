/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in open. */
#include "hostile.h"

static void misbehave(void) {}

static int crash(struct adi_adapter *self, const struct adi_host *host) {
    (void)self, (void)host;
    fault();
    return 0;
}

__attribute__((constructor)) static void change(void) {
    hostile.open = crash;
}
