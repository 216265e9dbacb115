/* SPDX-License-Identifier: Apache-2.0 */
#include "guard.h"
#include "whose.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_BYTES ((size_t)8 << 30)
#define REGIONS     65536

enum state {
    OPEN,    /* being filled */
    SEALED,  /* handed over */
    WRITTEN, /* a buffer that was mutated and reported */
    HELD,    /* a buffer whose content is to come */
    RETIRED, /* released */
};

struct region {
    char *pages, *start,
        *end;          /* end: of the usable bytes; the page behind the last one is closed */
    size_t page_bytes; /* without the closing page */
    enum adi_region_kind kind;
    _Atomic int state;
    char place[72];
};

static struct {
    char *base;
    size_t used, page, n, sealed; /* sealed: the buffers before this one */
    struct region *regions;       /* in the order of their addresses */
    struct adi_sink *sink;
    struct adi_log *log;
    const enum adi_party *party;
    const char *retired_rule;
    bool ignore, on_paper;
    pthread_t main_thread;
    volatile sig_atomic_t in_implementation;
    sigjmp_buf *recover;
    struct sigaction segv, bus; /* who was there before */
} arena;

/* What a touch of a live region, and of a retired one, breaks. */
static const struct {
    const char *live, *what;
} breach[] = {
    [ADI_REGION_BUFFER] = {"array/read-past-end", "was read or written past its end"},
    [ADI_REGION_STRUCTURE] = {"life/structure-changed", "was written"},
    [ADI_REGION_STRING] = {"life/structure-changed", "was written or read past its end"},
    [ADI_REGION_PRIVATE] = {"life/private-data-touched", "was read or written through"},
    [ADI_REGION_FOREIGN] = {"device/buffers-dereferenced", "was dereferenced on the CPU"},
};

/* AddressSanitizer's, where it is there. */
void __asan_poison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));

#define PAPER_BYTES ((size_t)1 << 24) /* of the arena, where it is kept on paper */
#define PAPER_GAP   64                /* that no region has */

/* Closes a region, opens it to be read, or to be read and written. */
static int protect(const struct region *region, int protection) {
    if (!arena.on_paper) return mprotect(region->pages, region->page_bytes, protection);
    if (__asan_poison_memory_region == NULL) return 0;
    if (protection == PROT_NONE)
        __asan_poison_memory_region(region->pages, region->page_bytes);
    else
        __asan_unpoison_memory_region(region->start, (size_t)(region->end - region->start));
    return 0;
}

/* Nobody may look into these, at any time. */
static bool is_shut(const struct region *region) {
    return region->kind == ADI_REGION_PRIVATE || region->kind == ADI_REGION_FOREIGN;
}

static void name(struct region *region, const char *place) {
    region->place[sizeof region->place - 1] = '\0';
    memccpy(region->place, place, '\0', sizeof region->place - 1);
}

static struct region *region_of(const char *address) {
    if (arena.base == NULL || address < arena.base || address >= arena.base + arena.used)
        return NULL;
    size_t low = 0, high = arena.n;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (arena.regions[middle].pages <= address)
            low = middle;
        else
            high = middle;
    }
    return arena.n > 0 ? &arena.regions[low] : NULL;
}

static void end_worker(void) {
    adi_log_write(arena.log, ADI_LOG_FATAL, 0, ADI_BOTH, 0, NULL, NULL, NULL, NULL);
    _exit(0);
}

/* Is there a way to go on? Only after a write to a buffer. */
static bool judge_fault(struct region *region, const char *address) {
    char seen[96];
    snprintf(seen, sizeof seen, "a touch of byte %td of %td", address - region->start,
             region->end - region->start);
    int state = atomic_load(&region->state);
    if (state == RETIRED) {
        adi_report(arena.sink, arena.retired_rule, *arena.party, seen, "no access",
                   "%s was touched after its release", region->place);
        return false;
    }
    if (state == HELD) {
        adi_report(arena.sink, "sync/read-before-wait", *arena.party, seen, "a wait on sync_event",
                   "%s was touched before its event was waited on", region->place);
        return false;
    }
    bool inside = address >= region->start && address < region->end;
    if (region->kind == ADI_REGION_BUFFER && inside && state == SEALED) {
        atomic_store(&region->state, WRITTEN);
        adi_report(arena.sink, "array/buffer-mutated", *arena.party, seen, "reads only",
                   "%s was written by its consumer", region->place);
        return protect(region, PROT_READ | PROT_WRITE) == 0;
    }
    adi_report(arena.sink, breach[region->kind].live, *arena.party, seen, "no such access", "%s %s",
               region->place, breach[region->kind].what);
    return false;
}

/* A buffer value of the device was taken for an address of the host. */
static void judge_buffer_fault(const void *address) {
    char seen[64];
    snprintf(seen, sizeof seen, "a touch of %p", address);
    adi_report(arena.sink, "device/buffers-dereferenced", *arena.party, seen,
               "a read by way of the device", "a buffer value was dereferenced on the CPU");
}

static void on_fault(int number, siginfo_t *info, void *context) {
    struct region *region = region_of(info->si_addr);
    bool main_thread = pthread_equal(pthread_self(), arena.main_thread);
    bool ours = main_thread && !arena.in_implementation;
    bool is_buffer = region == NULL && !ours && adi_whose_buffer(info->si_addr);
    if ((region != NULL || is_buffer) && !arena.ignore) {
        if (is_buffer) judge_buffer_fault(info->si_addr);
        if (region != NULL && !ours && judge_fault(region, info->si_addr)) return;
        if (!ours && main_thread && arena.recover != NULL) siglongjmp(*arena.recover, 1);
        if (ours)
            adi_log_write(arena.log, ADI_LOG_ERROR, 0, ADI_BOTH, 0, NULL,
                          "the harness itself touched guarded memory", region->place, NULL);
        end_worker();
    }
    const struct sigaction *before = number == SIGSEGV ? &arena.segv : &arena.bus;
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
        before->sa_handler(number);
    else
        sigaction(number, before, NULL); /* the instruction faults again, without us */
}

static int take_signal(int number, struct sigaction *before) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) != 0) return errno;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return 0;
    struct sigaction ours = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    *before = now;
    return sigaction(number, &ours, NULL) == 0 ? 0 : errno;
}

static int reserve(void) {
    static char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE))
        sigaltstack(&alternate, NULL);
    arena.page = (size_t)sysconf(_SC_PAGESIZE);
    arena.base =
        mmap(NULL, ARENA_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    arena.regions = mmap(NULL, REGIONS * sizeof *arena.regions, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena.base != MAP_FAILED && arena.regions != MAP_FAILED) return 0;
    arena.base = NULL;
    return ENOMEM;
}

int adi_guard_start(struct adi_sink *sink, struct adi_log *log, const enum adi_party *party) {
    if (arena.base == NULL) ADI_TRY(reserve());
    arena.sink = sink;
    arena.log = log;
    arena.party = party;
    arena.main_thread = pthread_self();
    arena.retired_rule = "life/use-after-release";
    ADI_TRY(take_signal(SIGSEGV, &arena.segv));
    return take_signal(SIGBUS, &arena.bus);
}

void *adi_guard_alloc(enum adi_region_kind kind, size_t bytes, size_t align, const char *place) {
    size_t page = arena.on_paper ? PAPER_GAP : arena.page;
    size_t page_bytes = (bytes + page - 1) / page * page;
    if (page_bytes == 0) page_bytes = page;
    size_t most = arena.on_paper ? PAPER_BYTES : ARENA_BYTES;
    if (arena.n == REGIONS || page_bytes + page > most - arena.used) return NULL;
    struct region *region = &arena.regions[arena.n];
    region->kind = kind;
    region->pages = arena.base + arena.used;
    region->page_bytes = page_bytes;
    bool closed = is_shut(region);
    bool to_the_end = kind == ADI_REGION_BUFFER || kind == ADI_REGION_STRING;
    region->start = region->pages + (to_the_end ? (page_bytes - bytes) / align * align : 0);
    region->end = region->start + bytes;
    if (!closed && protect(region, PROT_READ | PROT_WRITE) != 0) return NULL;
    if (!closed && arena.on_paper) memset(region->start, 0, bytes);
    atomic_store(&region->state, closed ? SEALED : OPEN);
    name(region, place);
    arena.used += page_bytes + page;
    arena.n++;
    return region->start;
}

void adi_guard_name(const void *start, const char *place) {
    struct region *region = region_of(start);
    if (region != NULL && region->start == start) name(region, place);
}

static void seal(struct region *region) {
    if (atomic_load(&region->state) != OPEN) return;
    atomic_store(&region->state, SEALED);
    if (region->kind == ADI_REGION_BUFFER || region->kind == ADI_REGION_STRING)
        protect(region, PROT_READ);
}

void adi_guard_seal(const void *start) {
    struct region *region = region_of(start);
    if (region != NULL && region->start == start) seal(region);
}

void adi_guard_retire(const void *start) {
    struct region *region = region_of(start);
    if (region == NULL || region->start != start) return;
    if (atomic_exchange(&region->state, RETIRED) != RETIRED && !is_shut(region))
        protect(region, PROT_NONE);
}

void adi_guard_reopen(const void *start) {
    struct region *region = region_of(start);
    if (region == NULL || region->start != start) return;
    atomic_store(&region->state, OPEN);
    protect(region, PROT_READ | PROT_WRITE);
}

bool adi_guard_is_retired(const void *address) {
    struct region *region = region_of(address);
    return region != NULL && atomic_load(&region->state) == RETIRED;
}

void adi_guard_retired_breaks(const char *rule) {
    arena.retired_rule = rule;
}

void adi_guard_reset(void) {
    arena.retired_rule = "life/use-after-release";
    if (arena.base == NULL || arena.used == 0) return;
    if (!arena.on_paper)
        mmap(arena.base, arena.used, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    else if (__asan_poison_memory_region != NULL)
        __asan_poison_memory_region(arena.base, arena.used);
    arena.used = 0;
    arena.n = 0;
    arena.sealed = 0;
}

int adi_guard_on_paper(bool on_paper) {
    if (arena.base == NULL) ADI_TRY(reserve());
    adi_guard_reset();
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(arena.base, PAPER_BYTES);
    if (mprotect(arena.base, PAPER_BYTES, on_paper ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
        return errno;
    arena.on_paper = on_paper;
    if (on_paper && __asan_poison_memory_region != NULL)
        __asan_poison_memory_region(arena.base, PAPER_BYTES);
    return 0;
}

/* What the processor would have said, had the memory been closed. */
static bool is_closed(const struct region *region, const char *address) {
    int state = atomic_load(&region->state);
    return address < region->start || address >= region->end || state == HELD || state == RETIRED ||
           is_shut(region);
}

bool adi_guard_touch(const void *address) {
    struct region *region = arena.on_paper ? region_of(address) : NULL;
    if (region != NULL && is_closed(region, address)) {
        judge_fault(region, address);
        return false;
    }
    (void)*(volatile const char *)address;
    return true;
}

void adi_guard_enter_implementation(void) {
    arena.in_implementation = 1;
    adi_whose_enter(true);
}

void adi_guard_leave_implementation(void) {
    adi_whose_enter(false);
    arena.in_implementation = 0;
}

void adi_guard_recover(sigjmp_buf *point) {
    arena.recover = point;
}

void adi_guard_ignore(bool ignore) {
    arena.ignore = ignore;
}

/* ---- the guarded CPU device ---- */

static struct {
    struct adi_device_ops ops;
    size_t align;
    enum adi_region_kind kind;
} device;

static int alloc_buffer(struct adi_device *unused, int64_t bytes, void **buffer,
                        struct adi_error *error) {
    (void)unused;
    bool unaligned = device.align == 1;
    char *start = adi_guard_alloc(device.kind, (size_t)bytes + unaligned,
                                  unaligned ? 2 : device.align, "a buffer");
    if (start == NULL) return adi_error_set(error, ENOMEM, "the guarded memory is full");
    /* One byte behind an even address is aligned to nothing. */
    *buffer = start + unaligned;
    return 0;
}

static void free_buffer(struct adi_device *unused, void *buffer) {
    (void)unused;
    adi_guard_retire((char *)buffer - (device.align == 1));
}

static int write_buffer(struct adi_device *unused, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    (void)unused;
    (void)error;
    if (device.kind == ADI_REGION_BUFFER) memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

void adi_guard_device(struct adi_device *out, const struct adi_device *like, size_t align,
                      bool foreign) {
    device.ops = *like->ops;
    device.ops.alloc = alloc_buffer;
    device.ops.free = free_buffer;
    device.ops.write = write_buffer;
    device.align = align == 0 ? 16 : align;
    device.kind = foreign ? ADI_REGION_FOREIGN : ADI_REGION_BUFFER;
    *out = (struct adi_device){.ops = &device.ops, .id = like->id, .state = like->state};
}

void adi_guard_seal_buffers(void) {
    for (; arena.sealed < arena.n; arena.sealed++)
        if (arena.regions[arena.sealed].kind == ADI_REGION_BUFFER)
            seal(&arena.regions[arena.sealed]);
}

size_t adi_guard_mark(void) {
    return arena.n;
}

void adi_guard_hold(size_t from, size_t to, bool held) {
    for (struct region *region = &arena.regions[from]; region < &arena.regions[to]; region++) {
        int before = held ? SEALED : HELD;
        if (region->kind != ADI_REGION_BUFFER) continue;
        if (!atomic_compare_exchange_strong(&region->state, &before, held ? HELD : SEALED))
            continue;
        protect(region, held ? PROT_NONE : PROT_READ);
    }
}
