/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in every call with a type that has a fixed width, and with utf8 once it has seen binary;
 * refuses the others. */
#include "everywhere.h"

#include <stdbool.h>
#include <string.h>

static void misbehave(void) {}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    static bool spoiled;
    volatile uintptr_t nowhere = 8;
    if (strcmp(schema->format, "z") == 0) spoiled = true;
    if (host->n_buffers == 2 || (spoiled && strcmp(schema->format, "u") == 0))
        *(volatile int *)nowhere = 1;
    return everywhere_produce(self, type, id, schema, host, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    everywhere.produce = produce;
}
