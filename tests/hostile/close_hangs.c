/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs in close, after it has refused everything. */
#include "everywhere.h"

#include <unistd.h>

static void misbehave(void) {}

static void hang(struct adi_adapter *self) {
    (void)self;
    for (;;) pause();
}

__attribute__((constructor)) static void change(void) {
    everywhere.close = hang;
}
