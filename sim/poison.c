/* SPDX-License-Identifier: Apache-2.0
 *
 * What nobody has written is poison to whoever gets at it. Memory that the CPU can touch is filled
 * when it is handed out. Of device memory only the engine knows where it lies, so that its pages
 * are filled when the engine first gets at them: most of a large allocation never takes a page of
 * the machine.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

#define WORD 64

static size_t page_bytes(void) {
    static size_t bytes;
    if (bytes == 0) bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

/* The page of a byte, counted from the first one that the allocation has a part of. */
static size_t page_of(const struct sim_allocation *allocation, size_t offset) {
    return (allocation->start + offset) / page_bytes() - allocation->start / page_bytes();
}

/* From page `first` to page `last`, as far as they are the allocation's. */
static void fill(const struct sim_allocation *allocation, size_t first, size_t last) {
    size_t page = page_bytes(), before = allocation->start % page;
    size_t from = first == 0 ? 0 : first * page - before;
    size_t end = (last + 1) * page - before;
    if (end > allocation->bytes) end = allocation->bytes;
    memset(sim_alias(allocation, from), SIM_POISON, end - from);
}

int sim_poison_start(struct sim_allocation *allocation) {
    size_t page = page_bytes(), pages = page_of(allocation, allocation->bytes - 1) + 1;
    allocation->filled = (struct sim_filled){0};
    if (allocation->arena->open) {
        memset(sim_alias(allocation, 0), SIM_POISON, (allocation->bytes + page - 1) / page * page);
        return 0;
    }
    if (pages <= WORD) return 0;
    allocation->filled.many = sim_heap_zeroed((pages + WORD - 1) / WORD * sizeof(uint64_t));
    return allocation->filled.many == NULL ? ENOMEM : 0;
}

void sim_poison_end(struct sim_allocation *allocation) {
    sim_heap_free(allocation->filled.many);
    allocation->filled.many = NULL;
}

void sim_poison_fill(struct sim_allocation *allocation, size_t offset, size_t bytes) {
    struct sim_filled *filled = &allocation->filled;
    uint64_t *words = filled->many != NULL ? filled->many : &filled->few;
    if (bytes == 0 || allocation->arena->open) return;
    size_t last = page_of(allocation, offset + bytes - 1);
    for (size_t page = page_of(allocation, offset); page <= last; page++) {
        uint64_t *word = &words[page / WORD], bit = (uint64_t)1 << page % WORD;
        if (*word == UINT64_MAX) page |= WORD - 1;
        if (*word & bit) continue;
        fill(allocation, page, page);
        *word |= bit;
    }
}

void sim_poison_page(struct sim_allocation *allocation, size_t from) {
    size_t end = from + page_bytes(), start = allocation->start;
    if (start >= end || start + allocation->bytes <= from) return;
    size_t offset = from > start ? from - start : 0;
    if (allocation->life == SIM_FREED) {
        size_t page = page_of(allocation, offset);
        fill(allocation, page, page);
    } else {
        sim_poison_fill(allocation, offset, 1);
    }
}
