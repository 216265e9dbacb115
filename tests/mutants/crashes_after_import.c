/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, producer. Planted: an export aborts where everything is null; the adapter says when
 * it imports, and that is over by then.
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

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    harness->imports(harness, 1);
    bool all_null = host->null_count == host->length;
    harness->imports(harness, 0);
    if (all_null) abort();
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.open = open_base;
    base.adapter.produce = produce;
}
