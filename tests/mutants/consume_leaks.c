/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer. Planted: each import loses a little.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    void *volatile lost = base_copy_bytes(in, sizeof *in);
    return lost == NULL ? ENOMEM : base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
