/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs in open, and would in every call. */
#include "everywhere.h"

#include <unistd.h>

static void misbehave(void) {
    for (;;) pause();
}

static int hang(struct adi_adapter *self, const struct adi_host *host) {
    (void)self, (void)host;
    misbehave();
    return 0;
}

__attribute__((constructor)) static void change(void) {
    everywhere.open = hang;
}
