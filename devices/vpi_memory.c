/* SPDX-License-Identifier: Apache-2.0 */
#include "vpi_memory.h"

#include <errno.h>
#include <inttypes.h>

#define PAGES ((uint32_t)(ADI_VPI_BYTES / ADI_VPI_PAGE))

struct adi_vpi_memory {
    uint32_t owner[PAGES]; /* of each page: the first page of its allocation, counted from 1 */
    int64_t bytes[PAGES];  /* of the allocation that begins there; 0: it was freed */
    bool by_implementation[PAGES];
    size_t allocations;     /* allocations of the implementation */
    uint64_t number[PAGES]; /* of the allocation that begins there, among all, from 1 */
    /* Of each page: the first page of the last allocation that was freed there, from 1; of that
     * one: its bytes. */
    uint32_t was[PAGES];
    int64_t had[PAGES];
    uint32_t freed[PAGES]; /* the next one in the list of those that wait for the sweep, from 1 */
    uint32_t first_freed;
    int queued;  /* writes that wait for their turn */
    uint32_t at; /* where the search goes on */
};

/* Each begins elsewhere, so that an address of one model is seldom good in another. */
static struct adi_vpi_memory memories[ADI_VPI_MODELS];
static uint64_t numbers; /* of allocations */

struct adi_vpi_memory *adi_vpi_memory(int id) {
    struct adi_vpi_memory *memory = &memories[id];
    if (memory->at == 0) memory->at = (uint32_t)id * (PAGES / ADI_VPI_MODELS);
    return memory;
}

static uint32_t pages_of(int64_t bytes) {
    return (uint32_t)((bytes + ADI_VPI_PAGE - 1) / ADI_VPI_PAGE);
}

static uint64_t address_of(uint32_t page) {
    return ADI_VPI_BASE + (uint64_t)page * ADI_VPI_PAGE;
}

/* So many free pages in a row, none of them round the end. */
static bool find(const struct adi_vpi_memory *memory, uint32_t n, uint32_t *first) {
    uint32_t run = 0;
    for (uint32_t i = 0; i < 2 * PAGES; i++) {
        uint32_t page = (memory->at + i) % PAGES;
        if (page == 0) run = 0;
        run = memory->owner[page] == 0 ? run + 1 : 0;
        *first = page + 1 - run;
        if (run == n) return true;
    }
    return false;
}

int adi_vpi_allocate(struct adi_vpi_memory *memory, int64_t bytes, bool by_implementation,
                     uint64_t *address, struct adi_error *error) {
    uint32_t first;
    if (bytes <= 0 || (uint64_t)bytes > ADI_VPI_BYTES || !find(memory, pages_of(bytes), &first))
        return adi_error_set(error, ENOMEM, "no memory for %" PRId64 " bytes in a map of %" PRIu64,
                             bytes, ADI_VPI_BYTES);
    for (uint32_t i = 0; i < pages_of(bytes); i++) memory->owner[first + i] = first + 1;
    memory->bytes[first] = bytes;
    memory->by_implementation[first] = by_implementation;
    memory->number[first] = ++numbers;
    memory->allocations += by_implementation;
    memory->at = (first + pages_of(bytes)) % PAGES;
    *address = address_of(first);
    return 0;
}

static bool is_in_map(uint64_t address) {
    return address >= ADI_VPI_BASE && address - ADI_VPI_BASE < ADI_VPI_BYTES;
}

/* The first page of the allocation that `address` is in, counted from 1; 0: it is in none. */
static uint32_t allocation_at(const struct adi_vpi_memory *memory, uint64_t address) {
    if (!is_in_map(address)) return 0;
    uint32_t owner = memory->owner[(address - ADI_VPI_BASE) / ADI_VPI_PAGE];
    return owner == 0 || memory->bytes[owner - 1] == 0 ? 0 : owner;
}

int adi_vpi_release(struct adi_vpi_memory *memory, uint64_t address, bool by_implementation) {
    uint32_t owner = allocation_at(memory, address);
    if (owner == 0 || address != address_of(owner - 1)) return ENOENT;
    if (by_implementation && !memory->by_implementation[owner - 1]) return EPERM;
    for (uint32_t i = 0; i < pages_of(memory->bytes[owner - 1]); i++)
        memory->was[owner - 1 + i] = owner;
    memory->had[owner - 1] = memory->bytes[owner - 1];
    memory->allocations -= memory->by_implementation[owner - 1];
    memory->bytes[owner - 1] = 0;
    memory->freed[owner - 1] = memory->first_freed;
    memory->first_freed = owner;
    return 0;
}

void adi_vpi_release_all(struct adi_vpi_memory *memory) {
    for (uint32_t page = 0; page < PAGES; page++)
        if (memory->bytes[page] != 0) adi_vpi_release(memory, address_of(page), false);
}

void adi_vpi_queued(struct adi_vpi_memory *memory, int more) {
    memory->queued += more;
}

void adi_vpi_sweep(struct adi_vpi_memory *memory, struct adi_vpi_model *model) {
    while (memory->queued == 0 && memory->first_freed != 0) {
        uint32_t owner = memory->first_freed;
        memory->first_freed = memory->freed[owner - 1];
        for (uint32_t page = owner - 1; page < PAGES && memory->owner[page] == owner; page++) {
            adi_vpi_forget(model, address_of(page));
            memory->owner[page] = 0;
        }
    }
}

size_t adi_vpi_allocations(const struct adi_vpi_memory *memory) {
    return memory->allocations;
}

uint64_t adi_vpi_number(const struct adi_vpi_memory *memory, uint64_t address) {
    uint32_t owner = allocation_at(memory, address);
    return owner == 0 ? 0 : memory->number[owner - 1];
}

struct adi_vpi_freed adi_vpi_freed_at(const struct adi_vpi_memory *memory, uint64_t address) {
    if (!is_in_map(address) || allocation_at(memory, address) != 0)
        return (struct adi_vpi_freed){.bytes = 0};
    uint32_t was = memory->was[(address - ADI_VPI_BASE) / ADI_VPI_PAGE];
    if (was == 0) return (struct adi_vpi_freed){.bytes = 0};
    return (struct adi_vpi_freed){memory->had[was - 1], address_of(was - 1)};
}

bool adi_vpi_is_together(const struct adi_vpi_memory *memory, uint64_t one, uint64_t other) {
    uint32_t owner = allocation_at(memory, one);
    return owner != 0 && owner == allocation_at(memory, other);
}

int adi_vpi_check(const struct adi_vpi_memory *memory, uint64_t address, int64_t offset,
                  int64_t bytes, struct adi_error *error) {
    if (!is_in_map(address))
        return adi_error_set(error, EFAULT,
                             "0x%" PRIx64
                             " is not in the memory map of the model, which is 0x%" PRIx64
                             " to 0x%" PRIx64 "; is it a host pointer?",
                             address, ADI_VPI_BASE, ADI_VPI_BASE + ADI_VPI_BYTES - 1);
    uint32_t owner = allocation_at(memory, address);
    if (owner == 0)
        return adi_error_set(error, EFAULT, "nothing is allocated at 0x%" PRIx64 " of vpi:%d",
                             address, (int)(memory - memories));
    int64_t size = memory->bytes[owner - 1];
    int64_t start = (int64_t)(address - address_of(owner - 1)); /* < the bytes of the map */
    if (offset < 0 || bytes < 0 || offset > size - start || bytes > size - start - offset)
        return adi_error_set(error, EFAULT,
                             "%" PRId64 " bytes at 0x%" PRIx64 " + %" PRId64
                             " are not in the allocation of %" PRId64 " bytes at 0x%" PRIx64,
                             bytes, address, offset, size, address_of(owner - 1));
    return 0;
}
