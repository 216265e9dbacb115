/* SPDX-License-Identifier: Apache-2.0 */
/* Cannot be opened, and says why. */
#include "hostile.h"

static void misbehave(void) {}

static int fail(struct adi_adapter *self, const struct adi_host *host) {
    (void)self, (void)host;
    return EIO;
}

static const char *why(struct adi_adapter *self) {
    (void)self;
    return "the moon is in the wrong place";
}

__attribute__((constructor)) static void change(void) {
    hostile.open = fail;
    hostile.last_error = why;
}
