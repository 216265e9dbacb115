/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Whatever has a buffer at an odd address is refused.
 */
#include <errno.h>
#include <stdbool.h>

#include "base/implementation.h"

static bool unaligned(const struct ArrowArray *array) {
    bool found = array->dictionary != NULL && unaligned(array->dictionary);
    for (int64_t i = 0; i < array->n_buffers && !found; i++)
        found = (uintptr_t)array->buffers[i] % 2 != 0;
    for (int64_t i = 0; i < array->n_children && !found; i++) found = unaligned(array->children[i]);
    return found;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (unaligned(host)) return ENOTSUP;
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (in->array.release != NULL && unaligned(&in->array)) return ENOTSUP;
    return base_consume(self, schema, in, schema_out, host_out);
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (in->array.release != NULL && unaligned(&in->array)) return ENOTSUP;
    return base_relay(self, schema, in, schema_out, out);
}

void mutate(void) {
    base.adapter.produce = produce;
    base.adapter.consume = consume;
    base.adapter.relay = relay;
}
