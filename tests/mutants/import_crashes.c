/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, consumer. Planted: what imports the host array, before `produce` exports it, aborts
 * where everything is null; the adapter says when it imports.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/implementation.h"

static const struct adi_host *harness;

static int open_base(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    harness = host;
    return 0;
}

static void import(const struct ArrowArray *host) {
    if (host->null_count == host->length) abort();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    bool tells = harness->size >= offsetof(struct adi_host, imports) + sizeof harness->imports;
    if (tells) harness->imports(harness, 1);
    import(host);
    if (tells) harness->imports(harness, 0);
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.open = open_base;
    base.adapter.produce = produce;
}
