/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: an export's buffers lie in a block that goes
 * back with the root; the next export is laid out in it, whatever was moved out of the first.
 */
#include <errno.h>

#include "base/implementation.h"

#define BLOCKS 16
#define BLOCK  ((size_t)1 << 18)

static struct {
    const void *root; /* private_data of the export that has the block; NULL: it is free */
    _Alignas(64) char room[BLOCK];
} blocks[BLOCKS];
static size_t at_hand, used;

static void *take(size_t bytes) {
    size_t at = used;
    used += (bytes + 63) / 64 * 64;
    return used <= BLOCK ? blocks[at_hand].room + at : NULL;
}

static void keep(void *buffer) {
    (void)buffer;
}

static void release_root(struct ArrowArray *array) {
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].root == array->private_data) blocks[i].root = NULL;
    base_array_release(array);
}

static void own_block(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    blocks[at_hand].root = out->array.private_data;
    out->array.release = release_root;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    used = at_hand = 0;
    while (at_hand < BLOCKS && blocks[at_hand].root != NULL) at_hand++;
    if (at_hand == BLOCKS) return ENOMEM;
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
    base.buffer_alloc = take;
    base.buffer_free = keep;
    base.exported = own_block;
}
