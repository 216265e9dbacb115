/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer. Arrow C++ ImportDeviceArray: the device type is cut to 8
 * bits, so 257 is taken for CPU.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray narrow = *in;
    narrow.device_type = (int8_t)in->device_type;
    in->array.release = NULL;
    int code = base_consume(self, schema, &narrow, schema_out, host_out);
    if (code != 0) in->array = narrow.array;
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
