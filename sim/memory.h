/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulated memory. An arena is a memory file that is mapped twice: the view, whose addresses the
 * program gets and which is closed, and the alias, which is open and which only the engine knows.
 * Each device has an arena; one more is for pinned and managed memory, whose pages are open in the
 * view while the CPU may touch them.
 *
 *   | bytes asked for | red zone to the end of the block |   blocks never move, split or join
 *
 * A freed block waits in quarantine before it is used again.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "ranges.h"

#define SIM_POISON 0xDE

struct sim_context;

struct sim_block {
    size_t start, bytes; /* with the red zone */
    struct sim_allocation *allocation;
    uint32_t class, next; /* next: in the quarantine, or among the free ones of its class */
};

#define SIM_CLASSES  512
#define SIM_NO_BLOCK UINT32_MAX

struct sim_arena {
    char *view, *alias;
    size_t bytes, used, unit; /* unit: blocks begin at its multiples */
    struct sim_block *blocks; /* in the order of their addresses */
    uint32_t n, capacity;
    uint32_t free[SIM_CLASSES], oldest, youngest; /* of the quarantine */
    uint32_t n_quarantined;
    size_t bytes_quarantined;         /* of those whose memory was not given back to the machine */
    bool open;                        /* the view of a live block is, in principle */
    size_t touched_from, touched_end; /* what the handler opened since the last call */
};

#define SIM_FAMILY 32

struct sim_device {
    char family[SIM_FAMILY];
    int index;
    bool lost;
    uint64_t used;
    struct sim_arena arena;
};

enum sim_life {
    SIM_LIVE,
    SIM_GOING, /* its free is queued */
    SIM_FREED,
};

/* A bit for each page that an allocation has a part of. */
struct sim_filled {
    uint64_t few, *many; /* many: NULL if they fit into the one word */
};

struct sim_allocation {
    uint64_t ordinal;
    enum adi_sim_memory memory;
    enum sim_life life;
    unsigned held; /* by queued commands, and by its block */
    struct sim_arena *arena;
    size_t start, bytes; /* start: within the arena */
    uint32_t block;
    struct sim_device *device;
    struct sim_context *context;            /* NULL once that was closed */
    struct sim_allocation *previous, *next; /* live ones of the context */
    struct sim_site made, freed;
    struct sim_ranges ranges;
    struct sim_filled filled; /* of device memory: what holds more than the machine's zeros */
    struct sim_clock users;   /* all commands that have used it, and what was before each of them */
    bool reported, on_queue;  /* as a leak; made in the order of a queue */
    /* of pinned and managed memory that has closed pages: */
    bool closed;
    uint32_t blocker; /* a queue whose work up to blocker_seq keeps it closed */
    uint64_t blocker_seq;
    struct sim_allocation *next_closed;
    /* of memory of the program that is registered: where it is; NULL: it is none */
    char *own;
    bool closes, touched; /* its pages may be closed; the handler has opened some */
    struct sim_allocation *next_own;
};

int sim_memory_start(void);
/* The device, opened at its first use. ENODEV, ENOMEM. */
int sim_memory_device(const char *family, int index, struct sim_device **out);

/* A block whose bytes are poison to whoever gets at them for `allocation`, of which memory, device
 * and bytes are set. */
int sim_block_take(struct sim_allocation *allocation);
/* Puts it into quarantine. */
void sim_block_give(struct sim_allocation *allocation);

/* What was last in the block around this address: live or freed, and the address may lie in its red
 * zone. NULL: no block. `arena` (may be NULL): the arena the address is in, or NULL. */
struct sim_allocation *sim_memory_around(const void *address, struct sim_arena **arena);

static inline char *sim_alias(const struct sim_allocation *allocation, size_t offset) {
    return allocation->arena->alias + allocation->start + offset;
}
static inline char *sim_view(const struct sim_allocation *allocation) {
    if (allocation->own != NULL) return allocation->own;
    return allocation->arena->view + allocation->start;
}

/* One more command uses it; one fewer. */
static inline void sim_allocation_retain(struct sim_allocation *allocation) {
    allocation->held++;
}
static inline void sim_allocation_release(struct sim_allocation *allocation) {
    if (--allocation->held == 0) sim_heap_free(allocation);
}

/* ---- poison.c ---- */

/* A new allocation in a block: what the CPU can touch is filled at once, with its red zone up to
 * the end of the page; else by the page, before anybody gets at it. ENOMEM. */
int sim_poison_start(struct sim_allocation *allocation);
/* Somebody is about to get at these bytes. */
void sim_poison_fill(struct sim_allocation *allocation, size_t offset, size_t bytes);
/* The page at `from` in the arena is about to be opened: fills what it has of the allocation, also
 * of one that was freed, anew. */
void sim_poison_page(struct sim_allocation *allocation, size_t from);
void sim_poison_end(struct sim_allocation *allocation);

/* ---- memory.c ---- */

/* Closes again what the signal handler opened. */
void sim_memory_close_touched(void);
/* Lets the CPU go on at this address: opens its page, `to_read` for reads alone. */
void sim_memory_open_touched(struct sim_arena *arena, const char *address, bool to_read);

/* The arena of pinned and managed memory. */
struct sim_arena *sim_memory_shared(void);

/* ---- own_pages.c: memory of the program that is registered ---- */

extern struct sim_allocation *sim_own_first; /* of all of it */

/* The registered range that all of these bytes are in; NULL: there is none. */
struct sim_allocation *sim_own_around(const void *pointer, size_t bytes);
/* Lets the CPU at these bytes, or not: the pages that lie within, and within the range; all that
 * have to do with them if they are opened. */
void sim_own_protect(const struct sim_allocation *allocation, size_t start, size_t end, int how);
/* As sim_memory_open_touched. */
void sim_own_open_touched(struct sim_allocation *allocation, const char *address, bool to_read);
/* Pages that were opened so are to be closed again, if there are any. */
bool sim_own_forget_touched(void);

/* ---- registered.c ---- */

/* Those of a context that is closed. */
void sim_own_end(const struct sim_context *context);
/* Reports what is registered still, in one context or (NULL) in all, once for each. */
void sim_own_leaks(const struct sim_context *context);

/* ---- allocation.c ---- */

/* The number of a new one. */
uint64_t sim_allocation_number(void);

extern const char *const sim_memory_names[];

/* "device allocation 3 (64 bytes, made by adi_sim_alloc in call 7)"; `out` of 160. */
const char *sim_allocation_text(const struct sim_allocation *allocation, char out[160]);
/* The live one that has the byte at the pointer; NULL: none. */
struct sim_allocation *sim_allocation_around(const void *pointer);
/* The next violation is about it. */
void sim_allocation_about(const struct sim_allocation *allocation);
/* Before it ends: reports it if the CPU wrote behind it. */
void sim_allocation_look_behind(const struct sim_allocation *allocation);
/* Nothing lists it as live any more. */
void sim_allocation_unlist(struct sim_allocation *allocation);
/* Its memory goes into quarantine. */
void sim_allocation_end(struct sim_allocation *allocation);

/* ---- shared.c: the pages of pinned and managed memory ---- */

/* Queued work on it has been noted in its ranges: closes the pages that the CPU may not touch. */
void sim_shared_close(struct sim_allocation *allocation, size_t start, size_t end, bool written,
                      const struct sim_access *by);
/* The host has learned something: opens what it may touch now. */
void sim_shared_refresh(void);
/* A command has run on it: of the program's own memory, pages were opened for that. */
void sim_shared_again(struct sim_allocation *allocation);
/* It is about to be freed. */
void sim_shared_forget(struct sim_allocation *allocation);
/* Whether the host may touch this byte, and if not, who keeps it from doing so. `leaves`: which
 * accesses do not; NULL: all do. */
bool sim_shared_allows(const struct sim_allocation *allocation, size_t offset, bool write,
                       bool (*leaves)(const struct sim_access *), struct sim_access *by);
/* Has the red zone behind the last byte been written? */
bool sim_shared_red_zone_broken(const struct sim_allocation *allocation);

#endif /* SIM_MEMORY_H */
