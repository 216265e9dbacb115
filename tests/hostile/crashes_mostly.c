/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in every call with a type that has a fixed width, and refuses the others. */
#include "everywhere.h"

#include <string.h>

static void misbehave(void) {}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    volatile uintptr_t nowhere = 8;
    if (host->n_buffers == 2) *(volatile int *)nowhere = 1;
    return everywhere_produce(self, type, id, schema, host, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    everywhere.produce = produce;
}
