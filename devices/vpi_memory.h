/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/vpi*.c: what is allocated in the memory map of a model. An allocation is whole
 * pages, because a page can be made poison at no cost; what was freed is handed out again only when
 * the search has come round. All is called with adi_vpi_lock held, and freeing, which any thread
 * may do, touches no model: the pages are poisoned at the next sweep.
 */
#ifndef ADI_VPI_MEMORY_H
#define ADI_VPI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vpi_model.h"

struct adi_vpi_memory;

/* The memory of the model `id`, which is one of 0 to ADI_VPI_MODELS - 1; static. */
struct adi_vpi_memory *adi_vpi_memory(int id);

/* For the implementation, or for the harness. ENOMEM: there are not so many pages in a row. */
int adi_vpi_allocate(struct adi_vpi_memory *memory, int64_t bytes, bool by_implementation,
                     uint64_t *address, struct adi_error *error);
/* ENOENT: no allocation begins there. EPERM: the implementation may not free what the harness
 * allocated. Both are left alone. */
int adi_vpi_release(struct adi_vpi_memory *memory, uint64_t address, bool by_implementation);
void adi_vpi_release_all(struct adi_vpi_memory *memory);
/* So many writes more, or less, are queued: until they are done nothing is swept. */
void adi_vpi_queued(struct adi_vpi_memory *memory, int more);
/* Poisons what was freed, and makes it free to be allocated. */
void adi_vpi_sweep(struct adi_vpi_memory *memory, struct adi_vpi_model *model);

/* How many allocations the implementation has. */
size_t adi_vpi_allocations(const struct adi_vpi_memory *memory);
/* The number of the allocation that the address is in, among all; 0: it is in none. */
uint64_t adi_vpi_number(const struct adi_vpi_memory *memory, uint64_t address);
/* What was freed last where nothing is allocated now; of 0 bytes: nothing, or something is. */
struct adi_vpi_freed {
    int64_t bytes;
    uint64_t address;
};
struct adi_vpi_freed adi_vpi_freed_at(const struct adi_vpi_memory *memory, uint64_t address);
/* Are the two addresses in one allocation? */
bool adi_vpi_is_together(const struct adi_vpi_memory *memory, uint64_t one, uint64_t other);

/* 0 if `bytes` (>= 0) from `address` + `offset` on lie in one allocation. EFAULT: they do not, and
 * the sentence says where they lie. */
int adi_vpi_check(const struct adi_vpi_memory *memory, uint64_t address, int64_t offset,
                  int64_t bytes, struct adi_error *error);

#endif /* ADI_VPI_MEMORY_H */
