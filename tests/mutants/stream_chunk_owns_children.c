/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer: a chunk that is released spoils the values of its first
 * child, whether that was moved out or not.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

#define POOLS 16 /* so many chunks may live at once */

static struct pool {
    char values[1 << 14];
    void *private_data; /* of the chunk */
} pools[POOLS];
static size_t made;

static void free_but_pool(void *buffer) {
    const char *at = buffer;
    if (at < (char *)pools || at >= (char *)pools + sizeof pools) free(buffer);
}

static void release_root(struct ArrowArray *array) {
    const void *private_data = array->private_data;
    base_array_release(array);
    for (size_t i = 0; i < POOLS; i++)
        if (pools[i].private_data == private_data) memset(&pools[i], 0xA5, sizeof pools[i].values);
}

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || out->array.n_children == 0) return code;
    struct ArrowArray *child = out->array.children[0];
    size_t bytes = (size_t)(child->offset + child->length) * sizeof(int32_t);
    void *values = (void *)(uintptr_t)child->buffers[1];
    struct pool *pool = &pools[made++ % POOLS];
    pool->private_data = out->array.private_data;
    child->buffers[1] = memcpy(pool->values, values, bytes);
    free(values);
    out->array.release = release_root;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base.buffer_free = free_but_pool;
    base_produced.get_next = next;
}
