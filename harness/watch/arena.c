/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What address space there is to reserve. */
#if SIZE_MAX > UINT32_MAX
#define LANE_BYTES ((size_t)2 << 30)
#else
#define LANE_BYTES ((size_t)128 << 20)
#endif
#define REGIONS       32768             /* a lane */
#define PAGES_AT_ONCE 16                /* opened in advance */
#define KEPT_BYTES    ((size_t)4 << 20) /* of a lane, from one case to the next */

/* Newer than the C library. */
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE  103
#endif

/* AddressSanitizer's, where it is there. */
void __asan_poison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));

#define PAPER_BYTES ((size_t)1 << 23) /* of a lane, where it is kept on paper */
#define PAPER_GAP   64                /* that no region has */

_Static_assert(LANE_BYTES <= SIZE_MAX / ADI_LANES / 2, "all lanes are one reservation");

struct adi_lane adi_lanes[ADI_LANES] = {
    [ADI_LANE_CLOSED] = {.shut = true},
    [ADI_LANE_STRING] = {.fenced = true},
    [ADI_LANE_BUFFER] = {.fenced = true},
};

static const enum adi_lane_name lane_of[] = {
    [ADI_REGION_BUFFER] = ADI_LANE_BUFFER,  [ADI_REGION_STRUCTURE] = ADI_LANE_SHARED,
    [ADI_REGION_STRING] = ADI_LANE_STRING,  [ADI_REGION_PRIVATE] = ADI_LANE_CLOSED,
    [ADI_REGION_FOREIGN] = ADI_LANE_CLOSED,
};

static size_t page;
static bool on_paper, has_markers;
static _Atomic uintptr_t begin; /* of the first lane, for threads that know nothing of it */

bool adi_arena_is_on_paper(void) {
    return on_paper;
}

static void *map(size_t bytes, int protection) {
    void *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

int adi_arena_reserve(void) {
    if (adi_lanes[0].base != NULL) return 0;
    page = (size_t)sysconf(_SC_PAGESIZE);
    struct adi_region *regions = map(ADI_LANES * REGIONS * sizeof *regions, PROT_READ | PROT_WRITE);
    char *base = map(ADI_LANES * LANE_BYTES, PROT_NONE);
    if (regions == NULL || base == NULL) return ENOMEM;
    /* The last page of all is nobody's. */
    has_markers = madvise(base + ADI_LANES * LANE_BYTES - page, page, MADV_GUARD_INSTALL) == 0;
    for (size_t i = 0; i < ADI_LANES; i++) {
        adi_lanes[i].base = base + i * LANE_BYTES;
        adi_lanes[i].regions = regions + i * REGIONS;
    }
    begin = (uintptr_t)base;
    return 0;
}

bool adi_arena_holds(const void *address) {
    uintptr_t first = begin;
    return first != 0 && (uintptr_t)address - first < ADI_LANES * LANE_BYTES;
}

/* ---- opening and closing ---- */

static void poison(const struct adi_region *region, bool shut) {
    if (__asan_poison_memory_region == NULL) return;
    if (shut)
        __asan_poison_memory_region(region->pages, region->page_bytes);
    else
        __asan_unpoison_memory_region(region->start, (size_t)(region->end - region->start));
}

/* Are fences to be put up, or is it enough to open nothing else? */
static bool has_fences(const struct adi_lane *lane) {
    return lane->fenced && has_markers;
}

static int set(char *from, const char *to, int protection) {
    return from >= to || mprotect(from, (size_t)(to - from), protection) == 0 ? 0 : errno;
}

int adi_arena_protect(const struct adi_lane *lane, size_t from, size_t to, int protection) {
    for (size_t i = from; on_paper && i < to; i++)
        poison(&lane->regions[i], protection == PROT_NONE);
    if (on_paper || from == to) return 0;
    bool at_once = !lane->fenced || has_markers || protection == PROT_NONE;
    int code = 0;
    for (size_t i = from, next; i < to && code == 0; i = next) {
        next = at_once ? to : i + 1;
        const struct adi_region *last = &lane->regions[next - 1];
        code = set(lane->regions[i].pages, last->pages + last->page_bytes, protection);
    }
    return code;
}

/* Opens what has just been handed out; where nothing has to be spared, more than that. */
static int open_last(struct adi_lane *lane, const struct adi_region *region) {
    size_t end = (size_t)(region->pages - lane->base) + region->page_bytes;
    if (lane->fenced && !has_markers)
        return adi_arena_protect(lane, lane->n, lane->n + 1, PROT_READ | PROT_WRITE);
    if (end <= lane->open) return 0;
    size_t ahead = end + PAGES_AT_ONCE * page;
    ADI_TRY(set(lane->base + lane->open, lane->base + ahead, PROT_READ | PROT_WRITE));
    lane->open = ahead;
    return 0;
}

static void take_fences(struct adi_lane *lane, size_t from) {
    if (lane->fences <= from) return;
    madvise(lane->base + from, lane->fences - from, MADV_GUARD_REMOVE);
    lane->fences = from;
}

/* Fences stay from case to case: regions of more than a page are rare, and what comes after one has
 * its fences elsewhere. */
static int put_fence(struct adi_lane *lane, const struct adi_region *region) {
    size_t at = (size_t)(region->pages - lane->base) + region->page_bytes;
    if (region->page_bytes > page) {
        take_fences(lane, lane->used);
        lane->uneven = true;
    }
    if (at < lane->fences) return 0;
    if (madvise(lane->base + at, page, MADV_GUARD_INSTALL) != 0) return errno;
    lane->fences = at + page;
    return 0;
}

void adi_arena_trim(void) {
    for (struct adi_lane *lane = adi_lanes; lane < adi_lanes + ADI_LANES; lane++) {
        if (lane->open <= lane->used) continue;
        if (set(lane->base + lane->used, lane->base + lane->open, PROT_NONE) == 0)
            lane->open = lane->used;
    }
}

/* ---- regions ---- */

struct adi_region *adi_arena_find(const void *address, struct adi_lane **lane_out) {
    const char *base = adi_lanes[0].base, *at = address;
    if (base == NULL || at < base || at >= base + ADI_LANES * LANE_BYTES) return NULL;
    struct adi_lane *lane = &adi_lanes[(size_t)(at - base) / LANE_BYTES];
    if (lane->n == 0 || at < lane->regions[0].pages || at >= lane->base + lane->used) return NULL;
    size_t low = 0, high = lane->n;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (lane->regions[middle].pages <= at)
            low = middle;
        else
            high = middle;
    }
    if (lane_out != NULL) *lane_out = lane;
    return &lane->regions[low];
}

bool adi_arena_is_former(const void *address) {
    const struct adi_lane *lane = &adi_lanes[ADI_LANE_CLOSED];
    const char *at = address;
    return lane->base != NULL && at >= lane->base && at < lane->base + LANE_BYTES &&
           adi_arena_find(address, NULL) == NULL;
}

static int open_region(struct adi_lane *lane, struct adi_region *region) {
    if (lane->shut) return 0;
    if (on_paper) return adi_arena_protect(lane, lane->n, lane->n + 1, PROT_READ | PROT_WRITE);
    if (has_fences(lane)) ADI_TRY(put_fence(lane, region));
    return open_last(lane, region);
}

/* What a call of free() is, where nobody has said. */
static const enum adi_charge freed[] = {
    [ADI_REGION_BUFFER] = ADI_CHARGE_TOUCH_FREED,
    [ADI_REGION_STRUCTURE] = ADI_CHARGE_TOUCH_FREED,
    [ADI_REGION_STRING] = ADI_CHARGE_TOUCH_FREED,
    [ADI_REGION_PRIVATE] = ADI_CHARGE_TOUCH_FREED_PRIVATE,
    [ADI_REGION_FOREIGN] = ADI_CHARGE_TOUCH_FOREIGN,
};

struct adi_region *adi_arena_add(enum adi_region_kind kind, size_t bytes, size_t align) {
    struct adi_lane *lane = &adi_lanes[lane_of[kind]];
    struct adi_region *region = &lane->regions[lane->n];
    size_t unit = on_paper ? PAPER_GAP : page;
    size_t gap = lane->fenced || on_paper ? unit : 0, ahead = PAGES_AT_ONCE * page;
    size_t most = (on_paper ? PAPER_BYTES : LANE_BYTES) - ahead;
    if (lane->n == REGIONS || bytes > most) return NULL; /* nothing overflows from here on */
    size_t page_bytes = (bytes + unit - 1) / unit * unit;
    if (page_bytes == 0) page_bytes = unit;
    if (page_bytes > most || lane->used > most - page_bytes) return NULL;
    region->kind = kind;
    region->retired = ADI_CHARGE_TOUCH_RELEASED;
    region->freed = freed[kind];
    region->pages = lane->base + lane->used;
    region->page_bytes = page_bytes;
    region->start = region->pages + (lane->fenced ? (page_bytes - bytes) / align * align : 0);
    region->end = region->start + bytes;
    if (open_region(lane, region) != 0) return NULL;
    if (!lane->shut)
        memset(on_paper ? region->start : region->pages, 0, on_paper ? bytes : page_bytes);
    lane->used += page_bytes + gap;
    lane->n++;
    return region;
}

/* A lane that was used up that way goes on as if nobody had asked. */
void adi_arena_stay(struct adi_lane *lane, const struct adi_region *region) {
    size_t end = (size_t)(region->pages - lane->base) + region->page_bytes;
    if (!on_paper && !lane->shut && end < LANE_BYTES / 2) lane->floor = end;
}

/* Memory is kept, since the next case needs it, too; but not all that somebody once needed. */
static void empty(struct adi_lane *lane) {
    size_t open = lane->open > lane->used ? lane->open : lane->used, floor = lane->floor;
    if (on_paper && __asan_poison_memory_region != NULL)
        __asan_poison_memory_region(lane->base, lane->used);
    if (!on_paper && !lane->shut) {
        set(lane->base + floor, lane->base + open, PROT_NONE);
        if (open > floor + KEPT_BYTES) madvise(lane->base + floor, open - floor, MADV_DONTNEED);
        if (lane->uneven) take_fences(lane, 0);
    }
    bool goes_on = lane->shut && !on_paper && lane->used < LANE_BYTES / 2;
    if (!goes_on) lane->used = floor;
    lane->open = floor;
    lane->n = lane->sealed = 0;
    lane->uneven = false;
}

void adi_arena_reset(void) {
    for (struct adi_lane *lane = adi_lanes; lane < adi_lanes + ADI_LANES; lane++)
        if (lane->n > 0) empty(lane);
}

int adi_arena_on_paper(bool wanted) {
    for (struct adi_lane *lane = adi_lanes; lane < adi_lanes + ADI_LANES; lane++) {
        if (__asan_unpoison_memory_region != NULL)
            __asan_unpoison_memory_region(lane->base, PAPER_BYTES);
        take_fences(lane, 0);
        lane->used = lane->floor = lane->open = 0;
        ADI_TRY(
            set(lane->base, lane->base + PAPER_BYTES, wanted ? PROT_READ | PROT_WRITE : PROT_NONE));
        if (wanted && __asan_poison_memory_region != NULL)
            __asan_poison_memory_region(lane->base, PAPER_BYTES);
    }
    on_paper = wanted;
    return 0;
}
