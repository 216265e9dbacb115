/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer. Planted: what was imported is released when the next comes, and
 * the last of it never.
 */
#include "keeps_newest.h"

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    array_kept.release = NULL;
    let_go();
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
    base.adapter.close = close_adapter;
}
