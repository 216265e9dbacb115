/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs with int64, whatever is to be done with it; refuses everything else. */
#include "everywhere.h"

#include <string.h>
#include <unistd.h>

static void misbehave(void) {}

static void hang_on(const struct ArrowSchema *schema) {
    if (strcmp(schema->format, "l") == 0)
        for (;;) pause();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    hang_on(schema);
    return everywhere_produce(self, type, id, schema, host, schema_out, out);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    hang_on(schema);
    return everywhere_consume(self, schema, in, schema_out, host_out);
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    hang_on(schema);
    return everywhere_relay(self, schema, in, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    everywhere.produce = produce;
    everywhere.consume = consume;
    everywhere.relay = relay;
}
