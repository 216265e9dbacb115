/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory with an end that bites: every piece ends at a page that cannot be read, as closely as its
 * alignment allows.
 */
#ifndef ADI_TESTS_FUZZ_ARENA_H
#define ADI_TESTS_FUZZ_ARENA_H

#include <stddef.h>

/* Forgets all pieces. The arena is made by the first call and never given back. */
void arena_reset(void);
/* A zeroed piece of at most a page; `align` is a power of two. 0 bytes: an address that cannot be
 * read. */
void *arena_put(size_t bytes, size_t align);
/* The same, holding a copy. */
void *arena_copy(const void *from, size_t bytes, size_t align);
/* Piece `index` modulo their number, and its size. There is one at least. */
void *arena_piece(size_t index, size_t *bytes);
/* An address that cannot be read. */
void *arena_nowhere(void);

#endif /* ADI_TESTS_FUZZ_ARENA_H */
