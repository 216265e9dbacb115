/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What was imported is released when the next comes, and the last of it when
 * the adapter is closed.
 */
#include "keeps_newest.h"

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    let_go();
}

void mutate(void) {
    base.adapter.consume = consume;
    base.adapter.close = close_adapter;
}
