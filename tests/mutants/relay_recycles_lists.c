/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: the lists of buffers of all that was relayed lie
 * in a block that goes back with the root; the next relay writes its own there.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/implementation.h"

#define BLOCKS 16
#define LISTS  8192

static struct {
    const void *root; /* private_data of the export that has the block; NULL: it is free */
    const void *buffers[LISTS];
    size_t used;
} blocks[BLOCKS];
static size_t at_hand;

static void release_part(struct ArrowArray *array) {
    array->buffers = NULL; /* in the block */
    base_array_release(array);
}

static void release_root(struct ArrowArray *array) {
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].root == array->private_data) blocks[i].root = NULL;
    release_part(array);
}

static void move_lists(struct ArrowArray *array) {
    const void **to = blocks[at_hand].buffers + blocks[at_hand].used;
    for (int64_t i = 0; i < array->n_buffers; i++) to[i] = array->buffers[i];
    blocks[at_hand].used += (size_t)array->n_buffers;
    free(array->buffers);
    array->buffers = to;
    array->release = release_part;
    for (int64_t i = 0; i < array->n_children; i++) move_lists(array->children[i]);
    if (array->dictionary != NULL) move_lists(array->dictionary);
}

static void own_block(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    blocks[at_hand].used = 0;
    blocks[at_hand].root = out->array.private_data;
    move_lists(&out->array);
    out->array.release = release_root;
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    for (at_hand = 0; at_hand < BLOCKS && blocks[at_hand].root != NULL;) at_hand++;
    if (at_hand == BLOCKS) return ENOMEM;
    return base_relay(self, schema, in, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
    base.exported = own_block;
}
