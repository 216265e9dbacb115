/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's own memory, apart from the program's: whoever counts what a program holds on the C
 * library's heap, to find what it lost, counts nothing of ours. With the engine's lock held.
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stddef.h>

/* Aligned to 16 bytes, not initialized; NULL: no memory. */
void *sim_heap_new(size_t bytes);
void *sim_heap_zeroed(size_t bytes);
/* As realloc. */
void *sim_heap_grow(void *old, size_t bytes);
/* NULL is allowed. */
void sim_heap_free(void *old);

/* How many bytes are in use. */
size_t sim_heap_bytes(void);

#endif /* SIM_HEAP_H */
