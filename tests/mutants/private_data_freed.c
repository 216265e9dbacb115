/* SPDX-License-Identifier: Apache-2.0
 *
 * life/private-data-touched, consumer. Planted: it frees private_data, which is its own when it
 * imports what it has exported itself.
 */
#include <stdlib.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    free(in->array.private_data);
    in->array.release = NULL;
    schema->release(schema);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
