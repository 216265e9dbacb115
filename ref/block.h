/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: the one allocation behind an exported tree of arrays, and a walk over the
 * buffers of a tree.
 */
#ifndef ADI_BLOCK_H
#define ADI_BLOCK_H

#include <stddef.h>

#include "abi.h"
#include "error.h"
#include "text.h"
#include "type.h"

/* Exports the structure of `from` as adi_export does. The block ends in `tail_bytes` bytes for the
 * owner's own use, at `*tail`, aligned as malloc aligns and not cleared. `release_tail` is called
 * once after the last structure was released; NULL: nothing to do. */
int adi_block_export(const struct ArrowArray *from, void (*release_tail)(void *tail),
                     size_t tail_bytes, struct ArrowArray *out, void **tail,
                     struct adi_error *error);

/* How many buffers the tree has. */
size_t adi_block_buffers(const struct ArrowArray *array);

/* A buffer on a walk. */
struct adi_buffer {
    const struct adi_type *type;
    const struct ArrowArray *array;
    int64_t index;
    const void **copy; /* the same buffer's place in the copy of the tree; NULL without a copy */
};

/* Calls `visit` for each buffer of the tree `array`, which has the shape of `schema`, parents first
 * and dictionaries last. `copy` is a tree of the same structure or NULL. A failure ends the walk,
 * and its sentence gets the place of the buffer in front. */
int adi_block_walk(const struct ArrowSchema *schema, const struct ArrowArray *array,
                   struct ArrowArray *copy,
                   int (*visit)(void *state, const struct adi_buffer *buffer,
                                struct adi_error *error),
                   void *state, struct adi_error *error);

#endif /* ADI_BLOCK_H */
