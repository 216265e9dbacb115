/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The buffers lie in a few large blocks that go when the last of them goes.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/implementation.h"

#define BLOCK ((size_t)1 << 20)

/* At the start of a block, which is aligned to its size. */
struct block {
    atomic_size_t live, used;
};
static struct block *newest; /* kept by one more than the buffers in it */

static void let(struct block *block) {
    if (block != NULL && atomic_fetch_sub(&block->live, 1) == 1) free(block);
}

static void *alloc_in_block(size_t bytes) {
    size_t room = (bytes + 63) / 64 * 64;
    if (room > BLOCK - 64) return NULL;
    if (newest == NULL || newest->used + room > BLOCK) {
        let(newest);
        newest = aligned_alloc(BLOCK, BLOCK);
        if (newest == NULL) return NULL;
        *newest = (struct block){.live = 1, .used = 64};
    }
    atomic_fetch_add(&newest->live, 1);
    return (char *)newest + atomic_fetch_add(&newest->used, room);
}

static void free_in_block(void *buffer) {
    if (buffer != NULL) let((struct block *)((uintptr_t)buffer / BLOCK * BLOCK));
}

void mutate(void) {
    base.buffer_alloc = alloc_in_block;
    base.buffer_free = free_in_block;
}
