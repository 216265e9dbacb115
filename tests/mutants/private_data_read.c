/* SPDX-License-Identifier: Apache-2.0
 *
 * life/private-data-touched, consumer. NVIDIA/cudf#22620: a consumer reads another producer's
 * private_data.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    const struct base_owned *volatile owned = in->array.private_data;
    return owned->import != NULL ? EINVAL : base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
