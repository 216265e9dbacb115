/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, consumer. nanoarrow ArrowDeviceResolve (c0eb931): an array of type METAL crashes a
 * consumer without Metal.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    void (*volatile wait)(void *) = NULL;
    if (in->device_type == ARROW_DEVICE_METAL) wait(in->sync_event);
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
