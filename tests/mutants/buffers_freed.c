/* SPDX-License-Identifier: Apache-2.0
 *
 * life/structure-changed, consumer. Planted: it frees the buffers that it was given, instead of
 * calling the release callback.
 */
#include <stdlib.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    for (int64_t i = 0; i < in->array.n_buffers; i++) free((void *)in->array.buffers[i]);
    in->array.release = NULL;
    schema->release(schema);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
