/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes for int32, but only if it was called for uint8 before. Says what it is asked for. */
#include <stdio.h>

#include "hostile.h"

static int spoiled;

static void misbehave(void) {
    if (spoiled) fault();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    fprintf(stderr, "asked for %s\n", schema->format);
    if (strcmp(schema->format, "C") == 0) spoiled = 1;
    return hostile_produce(self, type, id, schema, host, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    hostile.produce = produce;
}
