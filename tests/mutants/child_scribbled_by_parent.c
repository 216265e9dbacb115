/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: what is exported stands on the given array,
 * which lives until the last part of it is gone; the values alone lie in a pool that the root gives
 * back.
 */
#include <errno.h>
#include <string.h>

#include "base/implementation.h"

static char pool[1 << 20];

static void release_root(struct ArrowArray *array) {
    base_array_release(array);
    memset(pool, 0xA5, sizeof pool);
}

/* The last buffer of the first child, in the pool. */
static void pool_values(const struct ArrowSchema *schema, struct ArrowArray *child) {
    int64_t i = child->n_buffers - 1, bytes = i < 0 ? 0 : base_buffer_bytes(schema, child, i);
    if (bytes <= 0 || bytes > (int64_t)sizeof pool || child->buffers[i] == NULL) return;
    child->buffers[i] = memcpy(pool, child->buffers[i], (size_t)bytes);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray in = {
        .array = *host, .device_id = device_id, .device_type = ARROW_DEVICE_CPU};
    if (type != ARROW_DEVICE_CPU) return ENOTSUP;
    int code = base_relay(self, schema, &in, schema_out, out);
    if (code != 0) return code;
    host->release = NULL;
    out->array.release = release_root;
    if (out->array.n_children > 0) pool_values(schema_out->children[0], out->array.children[0]);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
