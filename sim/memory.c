/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FAMILIES         8
#define QUARANTINE_COUNT 4096
#define QUARANTINE_BYTES ((size_t)64 << 20)
#define GIVE_BACK        ((size_t)1 << 20) /* from here on freed memory goes back to the machine */
/* Addresses cost nothing: there are so many that blocks, which never join, need not run out. */
#define LARGEST_ARENA  ((size_t)1 << 40)
#define SMALLEST_ARENA ((size_t)1 << 30)

static struct sim_device *devices[FAMILIES * ADI_SIM_DEVICES];
static size_t n_devices;
static struct sim_arena shared;
static size_t page;

/* Both mappings of a new memory file. Where addresses are short, smaller ones will do. */
static int map_arena(struct sim_arena *arena, size_t bytes) {
    int file = memfd_create("adisim", MFD_CLOEXEC);
    if (file < 0) return ENOMEM;
    arena->view = arena->alias = MAP_FAILED;
    if (ftruncate(file, (off_t)bytes) == 0) {
        arena->view = mmap(NULL, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
        arena->alias =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    }
    close(file);
    if (arena->view != MAP_FAILED && arena->alias != MAP_FAILED) {
        arena->bytes = bytes;
        madvise(arena->view, bytes, MADV_DONTDUMP);
        madvise(arena->alias, bytes, MADV_DONTDUMP);
        madvise(arena->alias, bytes, MADV_DONTFORK);
        return 0;
    }
    if (arena->view != MAP_FAILED) munmap(arena->view, bytes);
    if (arena->alias != MAP_FAILED) munmap(arena->alias, bytes);
    return ENOMEM;
}

static int start_arena(struct sim_arena *arena, size_t unit, bool open) {
    *arena = (struct sim_arena){
        .unit = unit, .open = open, .oldest = SIM_NO_BLOCK, .youngest = SIM_NO_BLOCK, .used = unit};
    for (size_t i = 0; i < SIM_CLASSES; i++) arena->free[i] = SIM_NO_BLOCK;
    int code = ENOMEM;
    for (size_t bytes = LARGEST_ARENA; code != 0 && bytes >= SMALLEST_ARENA; bytes /= 2)
        code = map_arena(arena, bytes);
    /* Pinned memory stays with a child of fork(): the C library may keep something there. */
    if (code == 0 && !open) madvise(arena->view, arena->bytes, MADV_DONTFORK);
    return code;
}

int sim_memory_start(void) {
    page = (size_t)sysconf(_SC_PAGESIZE);
    return start_arena(&shared, page, true);
}

struct sim_arena *sim_memory_shared(void) {
    return &shared;
}

int sim_memory_device(const char *family, int index, struct sim_device **out) {
    if (index < 0 || index >= ADI_SIM_DEVICES || strlen(family) >= SIM_FAMILY) return ENODEV;
    for (size_t i = 0; i < n_devices; i++) {
        *out = devices[i];
        if (strcmp((*out)->family, family) == 0 && (*out)->index == index) return 0;
    }
    if (n_devices == sizeof devices / sizeof *devices) return ENODEV;
    struct sim_device *device = sim_heap_zeroed(sizeof *device);
    if (device == NULL) return ENOMEM;
    device->index = index;
    strcpy(device->family, family);
    int code = start_arena(&device->arena, ADI_SIM_ALIGNMENT, false);
    if (code != 0) {
        sim_heap_free(device);
        return code;
    }
    *out = devices[n_devices++] = device;
    return 0;
}

/* ---- blocks ---- */

/* Blocks of up to 16 units have classes of their own; beyond, there are eight to each doubling. */
static uint32_t class_of(size_t units, size_t *rounded) {
    unsigned shift = 0;
    while ((units - 1) >> shift >= 16) shift++;
    size_t steps = ((units - 1) >> shift) + 1;
    *rounded = steps << shift;
    return (uint32_t)(shift * 16 + steps - 1);
}

static int new_block(struct sim_arena *arena, size_t bytes, uint32_t class, uint32_t *out) {
    if (bytes > arena->bytes - arena->used) return ENOMEM;
    if (arena->n == arena->capacity) {
        uint32_t capacity = arena->capacity == 0 ? 256 : arena->capacity * 2;
        struct sim_block *grown = sim_heap_grow(arena->blocks, capacity * sizeof *grown);
        if (grown == NULL) return ENOMEM;
        arena->blocks = grown;
        arena->capacity = capacity;
    }
    *out = arena->n++;
    arena->blocks[*out] = (struct sim_block){arena->used, bytes, NULL, class, SIM_NO_BLOCK};
    arena->used += bytes;
    return 0;
}

static bool goes_back(const struct sim_block *block) {
    return block->bytes >= GIVE_BACK;
}

/* The oldest block of the quarantine may be used again. */
static void release_oldest(struct sim_arena *arena) {
    uint32_t index = arena->oldest;
    struct sim_block *block = &arena->blocks[index];
    arena->oldest = block->next;
    if (arena->oldest == SIM_NO_BLOCK) arena->youngest = SIM_NO_BLOCK;
    arena->n_quarantined--;
    if (!goes_back(block)) arena->bytes_quarantined -= block->bytes;
    block->next = arena->free[block->class];
    arena->free[block->class] = index;
}

static int find_block(struct sim_arena *arena, size_t bytes, uint32_t *out) {
    size_t units = (bytes + arena->unit - 1) / arena->unit + 1, rounded;
    if (bytes > arena->bytes) return ENOMEM;
    uint32_t class = class_of(units, &rounded);
    int code = 0;
    if (arena->free[class] == SIM_NO_BLOCK)
        code = new_block(arena, rounded * arena->unit, class, out);
    while (code != 0 && arena->free[class] == SIM_NO_BLOCK && arena->n_quarantined > 0)
        release_oldest(arena);
    if (arena->free[class] == SIM_NO_BLOCK) return code;
    *out = arena->free[class];
    arena->free[class] = arena->blocks[*out].next;
    sim_allocation_release(arena->blocks[*out].allocation);
    return 0;
}

int sim_block_take(struct sim_allocation *allocation) {
    bool device = allocation->memory == ADI_SIM_DEVICE;
    struct sim_arena *arena = device ? &allocation->device->arena : &shared;
    SIM_TRY(find_block(arena, allocation->bytes, &allocation->block));
    struct sim_block *block = &arena->blocks[allocation->block];
    allocation->arena = arena;
    allocation->start = block->start;
    block->allocation = allocation;
    sim_allocation_retain(allocation);
    int code = sim_poison_start(allocation);
    if (code != 0) {
        sim_block_give(allocation);
        return code;
    }
    size_t opened = (allocation->bytes + page - 1) / page * page;
    if (arena->open && mprotect(sim_view(allocation), opened, PROT_READ | PROT_WRITE) != 0) {
        sim_block_give(allocation);
        return ENOMEM;
    }
    return 0;
}

void sim_block_give(struct sim_allocation *allocation) {
    struct sim_arena *arena = allocation->arena;
    struct sim_block *block = &arena->blocks[allocation->block];
    if (arena->open) mprotect(sim_view(allocation), block->bytes, PROT_NONE);
    if (goes_back(block)) {
        size_t from = (block->start + page - 1) / page * page;
        size_t end = (block->start + block->bytes) / page * page;
        madvise(arena->alias + from, end - from, MADV_REMOVE);
    } else {
        arena->bytes_quarantined += block->bytes;
    }
    block->next = SIM_NO_BLOCK;
    if (arena->youngest == SIM_NO_BLOCK)
        arena->oldest = allocation->block;
    else
        arena->blocks[arena->youngest].next = allocation->block;
    arena->youngest = allocation->block;
    arena->n_quarantined++;
    while (arena->n_quarantined > QUARANTINE_COUNT || arena->bytes_quarantined > QUARANTINE_BYTES)
        release_oldest(arena);
}

/* ---- what is where ---- */

static struct sim_arena *arena_of(const char *address) {
    if (address >= shared.view && address < shared.view + shared.bytes) return &shared;
    for (size_t i = 0; i < n_devices; i++) {
        struct sim_arena *arena = &devices[i]->arena;
        if (address >= arena->view && address < arena->view + arena->bytes) return arena;
    }
    return NULL;
}

/* The block that begins last before or at an offset, or the one behind all. */
static uint32_t block_at(const struct sim_arena *arena, size_t offset) {
    uint32_t low = 0, high = arena->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (arena->blocks[middle].start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? arena->n : low - 1;
}

struct sim_allocation *sim_memory_around(const void *address, struct sim_arena **where) {
    struct sim_arena *arena = arena_of(address);
    if (where != NULL) *where = arena;
    if (arena == NULL) return NULL;
    size_t offset = (size_t)((const char *)address - arena->view);
    uint32_t index = block_at(arena, offset);
    if (index == arena->n) return NULL;
    const struct sim_block *block = &arena->blocks[index];
    return offset < block->start + block->bytes ? block->allocation : NULL;
}

/* Whatever has a part of the page: what nobody has used was not filled so far, and what was freed
 * is poison from now on. */
static void poison_page(const struct sim_arena *arena, size_t from) {
    uint32_t index = block_at(arena, from);
    if (index == arena->n) index = 0; /* the first block begins behind it */
    for (; index < arena->n && arena->blocks[index].start < from + page; index++)
        sim_poison_page(arena->blocks[index].allocation, from);
}

void sim_memory_open_touched(struct sim_arena *arena, const char *address, bool to_read) {
    size_t from = (size_t)(address - arena->view) / page * page, end = from + page;
    poison_page(arena, from);
    mprotect(arena->view + from, page, to_read ? PROT_READ : PROT_READ | PROT_WRITE);
    if (arena->touched_end == 0 || from < arena->touched_from) arena->touched_from = from;
    if (end > arena->touched_end) arena->touched_end = end;
}

/* Of the shared arena freed blocks and red zones were opened, and live ones that are closed for the
 * time being: those were opened one by one. */
static void close_shared(void) {
    for (uint32_t i = 0; i < shared.n; i++) {
        struct sim_block *block = &shared.blocks[i];
        struct sim_allocation *was = block->allocation;
        size_t open = was->life == SIM_FREED ? 0 : (was->bytes + page - 1) / page * page;
        if (block->start >= shared.touched_end ||
            block->start + block->bytes <= shared.touched_from)
            continue;
        mprotect(shared.view + block->start + open, block->bytes - open, PROT_NONE);
        if (was->closed) was->blocker_seq = 0;
    }
    sim_shared_refresh();
}

void sim_memory_close_touched(void) {
    if (sim_own_forget_touched()) sim_shared_refresh();
    for (size_t i = 0; i < n_devices; i++) {
        struct sim_arena *arena = &devices[i]->arena;
        if (arena->touched_end == 0) continue;
        mprotect(arena->view + arena->touched_from, arena->touched_end - arena->touched_from,
                 PROT_NONE);
        arena->touched_from = arena->touched_end = 0;
    }
    if (shared.touched_end == 0) return;
    close_shared();
    shared.touched_from = shared.touched_end = 0;
}
