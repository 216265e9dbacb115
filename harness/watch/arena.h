/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages under the guard. Regions of a kind lie side by side in a lane, in the order in which
 * they were handed out, so that one system call opens, closes or seals a whole run of them.
 *
 *   lane      what lies there            behind each region
 *   CLOSED    PRIVATE, FOREIGN           the next one; nothing here is ever open
 *   SHARED    STRUCTURE                  the next one
 *   STRING, BUFFER                       a fence: a page that stays closed, whatever is done to
 *                                        the run
 *
 * Fences are guard markers of the kernel where it has them (Linux 6.13), which outlive a change of
 * protection; else each is closed by a call of its own.
 *
 * One thread hands out and resets; any thread may close runs. An address in CLOSED is not handed
 * out again soon, even after a reset: what still has one is told apart from what is there now.
 */
#ifndef ADI_ARENA_H
#define ADI_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "guard.h"

enum adi_region_state {
    ADI_REGION_OPEN,     /* being filled */
    ADI_REGION_SEALED,   /* handed over */
    ADI_REGION_WRITTEN,  /* a buffer that was mutated and reported */
    ADI_REGION_WITHHELD, /* a buffer whose content is to come */
    ADI_REGION_RETIRED,  /* released */
    ADI_REGION_LISTENED, /* closed until somebody touches it */
    ADI_REGION_HEARD,    /* somebody has */
    ADI_REGION_ENDED,    /* what it was part of is given up */
};

struct adi_region {
    char *pages, *start, *end; /* end: of the usable bytes */
    size_t page_bytes;         /* without the fence */
    enum adi_region_kind kind;
    _Atomic int state;
    enum adi_charge retired; /* what a touch is once it is retired */
    enum adi_charge freed;   /* what a call of free() is until then */
    char place[72];
};

struct adi_lane {
    char *base;
    size_t floor;               /* bytes in which nothing is handed out any more */
    size_t used, open;          /* bytes handed out; bytes that the processor lets be written */
    size_t n, sealed;           /* regions; the first of them are sealed */
    size_t fences;              /* bytes from the base in which they have been put up */
    struct adi_region *regions; /* in the order of their addresses */
    bool shut, fenced, uneven;  /* uneven: not every region is a page */
};

enum adi_lane_name {
    ADI_LANE_CLOSED,
    ADI_LANE_SHARED,
    ADI_LANE_STRING,
    ADI_LANE_BUFFER,
    ADI_LANES
};

extern struct adi_lane adi_lanes[ADI_LANES];

/* Reserves the lanes, once. 0 or ENOMEM. */
int adi_arena_reserve(void);
/* As adi_guard_on_paper, of an arena that is reserved and empty. */
int adi_arena_on_paper(bool on_paper);
bool adi_arena_is_on_paper(void);

/* Is the address within the lanes? Any thread, at any time. */
bool adi_arena_holds(const void *address);
/* The region that an address falls into, or the page behind it; NULL: none. `lane` may be NULL. */
struct adi_region *adi_arena_find(const void *address, struct adi_lane **lane);
/* Is this an address in CLOSED of what was there before the last reset? */
bool adi_arena_is_former(const void *address);
/* A zeroed region, open for writing but in a lane that is shut; NULL: the lane is full. */
struct adi_region *adi_arena_add(enum adi_region_kind kind, size_t bytes, size_t align);
/* Gives the regions from `from` to before `to` the protection (PROT_*). An errno value. */
int adi_arena_protect(const struct adi_lane *lane, size_t from, size_t to, int protection);
/* The region stays as it is, open, and its address is never handed out again. */
void adi_arena_stay(struct adi_lane *lane, const struct adi_region *region);
/* What is open in advance is closed. */
void adi_arena_trim(void);
void adi_arena_reset(void);

#endif /* ADI_ARENA_H */
