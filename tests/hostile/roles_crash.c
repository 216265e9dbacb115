/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes when it is asked for its roles. */
#include "hostile.h"

static void misbehave(void) {}

static unsigned crash(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)type, (void)id;
    fault();
    return 0;
}

__attribute__((constructor)) static void change(void) {
    hostile.roles = crash;
}
