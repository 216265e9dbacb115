/* SPDX-License-Identifier: Apache-2.0
 *
 * device/unknown-type-accepted, consumer. Planted: an array of an unknown device is read as an
 * empty one.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (in->device_type != ARROW_DEVICE_CPU) {
        struct ArrowSchema integers = {.format = "i"};
        struct ArrowArray empty = {.n_buffers = 2, .buffers = (const void *[]){NULL, NULL}};
        int code = base_schema_copy(&integers, schema_out);
        if (code == 0) code = base_array_copy(&integers, &empty, host_out);
        if (code != 0) return code;
        schema->release(schema);
        in->array.release(&in->array);
        return 0;
    }
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
