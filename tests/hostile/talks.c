/* SPDX-License-Identifier: Apache-2.0 */
/* Talks wherever it is asked for something, but crashes for int32 without a word. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "hostile.h"

static void misbehave(void) {
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would have words */
    fault();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    bool silent = strcmp(schema->format, "i") == 0;
    if (!silent) fprintf(stderr, "mend: no %s here\n", schema->format);
    if (!silent) printf("asked for %s\n", schema->format);
    return hostile_produce(self, type, id, schema, host, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    hostile.produce = produce;
}
